import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { createQueryClient } from '@/api/query-client'
import type { EntryLife, OwnerBid } from '@/contract/types'
import { dollars } from '@/lib/format'
import AcceptDialog from './accept-dialog'
import { bidsTexts } from './texts'
import { bids } from './texts/en'

const { own: t } = bids
const entry = { id: 'entry', state: 'held', item: { name: 'Charizard' }, sellBackCents: 900 } as EntryLife
const bid = (paysCents: number) => ({ id: 'bid', paysCents }) as OwnerBid

it('announces when the best bid changes while the dialog is open', async () => {
  await Promise.all([import('@/components/ui/dialog-parts'), bidsTexts.load()])
  const client = createQueryClient()
  const dialog = (best: OwnerBid) => (
    <QueryClientProvider client={client}>
      <AcceptDialog entry={entry} best={best} onClose={() => {}} />
    </QueryClientProvider>
  )
  const { rerender } = await act(async () => render(dialog(bid(1000))))
  expect(screen.getByRole('alert').textContent).toBe('')
  rerender(dialog(bid(1100)))
  expect(screen.getByRole('alert').textContent).toBe(t.better(dollars(1100)))
  rerender(dialog(bid(1050)))
  expect(screen.getByRole('alert').textContent).toBe(t.changed(dollars(1050)))
  // The button names the amount after the fee, like quick sell.
  expect(screen.getByRole('button', { name: t.sell(dollars(1029)) })).toBeDefined()
})
