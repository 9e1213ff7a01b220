import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, it, vi } from 'vitest'
import { createQueryClient } from '@/api/query-client'
import type { EntryLife, OwnerBid } from '@/contract/types'
import { dollars } from '@/lib/format'
import AcceptDialog from './accept-dialog'
import { bidsTexts } from './texts'
import { bids } from './texts/en'

const { own: t } = bids
const entry = { id: 'entry', state: 'held', item: { name: 'Charizard' }, sellBackCents: 900 } as EntryLife
const bid = (paysCents: number) => ({ id: 'bid', paysCents }) as OwnerBid

beforeAll(() => Promise.all([import('@/components/ui/dialog-parts'), bidsTexts.load()]))

async function show(best: OwnerBid, onQuickSell?: () => void) {
  const client = createQueryClient()
  const onClose = vi.fn<() => void>()
  const dialog = (shown: OwnerBid) => (
    <QueryClientProvider client={client}>
      <AcceptDialog entry={entry} best={shown} onQuickSell={onQuickSell} onClose={onClose} />
    </QueryClientProvider>
  )
  const { rerender } = await act(async () => render(dialog(best)))
  return { onClose, update: (shown: OwnerBid) => rerender(dialog(shown)) }
}

it('announces when the best bid changes while the dialog is open', async () => {
  const { update } = await show(bid(1000), () => {})
  expect(screen.getByRole('alert').textContent).toBe('')
  update(bid(1100))
  expect(screen.getByRole('alert').textContent).toBe(t.better(dollars(1100)))
  update(bid(1050))
  expect(screen.getByRole('alert').textContent).toBe(t.changed(dollars(1050)))
  // The button names the amount after the fee, like quick sell.
  expect(screen.getByRole('button', { name: t.sell(dollars(1029)) })).toBeDefined()
})

it('offers the sale to Kaibao first if it pays more than the bid after the fee', async () => {
  const onQuickSell = vi.fn<() => void>()
  const { onClose, update } = await show(bid(900), onQuickSell)
  expect(screen.getByRole('alert').textContent).toBe(t.below(dollars(900)))
  expect(screen.getByRole('button', { name: t.anyway(dollars(882)) })).toBeEnabled()
  await userEvent.click(screen.getByRole('button', { name: t.quickSell(dollars(900)) }))
  expect(onClose).toHaveBeenCalledOnce()
  expect(onQuickSell).toHaveBeenCalledOnce()
  update(bid(1000))
  expect(screen.queryByRole('button', { name: t.quickSell(dollars(900)) })).not.toBeInTheDocument()
})

it('doesn’t offer the sale to Kaibao if it isn’t possible', async () => {
  await show(bid(900))
  expect(screen.getByRole('alert').textContent).toBe('')
  expect(screen.getByRole('button', { name: t.sell(dollars(882)) })).toBeEnabled()
})
