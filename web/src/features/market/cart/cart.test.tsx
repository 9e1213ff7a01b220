import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { SessionContext } from '@/lib/session'
import { signedIn } from '@test/render-page'
import { type CartItem, useCart } from './cart'

const line = (inventoryId: string, priceCents = 100): CartItem => ({
  inventoryId,
  priceCents,
  item: { name: `Card ${inventoryId}` },
})
const many = (n: number) => Array.from({ length: n }, (_, at) => line(String(at)))
const cartOf = (address: string) =>
  renderHook(useCart, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <SessionContext value={{ ...signedIn, address }}>{children}</SessionContext>
    ),
  }).result
const ids = (cart: { current: ReturnType<typeof useCart> }) => cart.current.lines.map(({ inventoryId }) => inventoryId)

beforeEach(() => localStorage.clear())

describe('the cart', () => {
  it('keeps each listing once, with its first price, per user', () => {
    const cart = cartOf('me')
    const other = cartOf('somebody')
    act(() => void cart.current.add([line('a'), line('b')]))
    act(() => void cart.current.add([line('b', 999), line('c')]))
    expect(cart.current.lines).toEqual([line('a'), line('b'), line('c')])
    expect(other.current.lines).toEqual([])
    expect(ids(cartOf('me'))).toEqual(['a', 'b', 'c'])
  })

  it('holds fifty items and returns how many were added', () => {
    const cart = cartOf('me')
    let added = 0
    act(() => {
      added = cart.current.add(many(48))
    })
    expect(added).toBe(48)
    act(() => {
      added = cart.current.add([line('x'), line('y'), line('z')])
    })
    expect(added).toBe(2)
    expect(ids(cart).slice(-2)).toEqual(['x', 'y'])
  })

  it('removes lines and changes prices', () => {
    const cart = cartOf('me')
    act(() => void cart.current.add([line('a'), line('b')]))
    act(() => cart.current.reprice('b', 90))
    act(() => cart.current.remove(['a']))
    expect(cart.current.lines).toEqual([line('b', 90)])
  })

  it('follows changes in another tab', () => {
    const cart = cartOf('me')
    localStorage.setItem('cart:me', JSON.stringify([line('a')]))
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'cart:me' })))
    expect(ids(cart)).toEqual(['a'])
  })

  it.each(['', 'no JSON', '{}', 'null', '[null, 1, {"inventoryId":"a"}, {"inventoryId":"a","priceCents":1.5}]'])(
    'is empty if %s is stored',
    (text) => {
      localStorage.setItem('cart:me', text)
      expect(cartOf('me').current.lines).toEqual([])
    },
  )
})
