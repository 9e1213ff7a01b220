import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { SessionContext } from '@/lib/session'
import { signedIn } from '@test/render-page'
import { marketTexts } from '../texts'
import { cart } from '../texts/en'
import AddButton from './add-button'

const line = { inventoryId: 'a', priceCents: 100, item: { name: 'Card' } }

it('loses no click while it isn’t known whose cart it is', async () => {
  await marketTexts.load()
  const { rerender } = render(
    <SessionContext value={{ ...signedIn, status: 'loading', address: null }}>
      <AddButton line={line} />
    </SessionContext>,
  )
  expect(screen.getByRole('button', { name: cart.add('Card') })).toBeDisabled()
  rerender(
    <SessionContext value={signedIn}>
      <AddButton line={line} />
    </SessionContext>,
  )
  expect(screen.getByRole('button', { name: cart.add('Card') })).toBeEnabled()
})
