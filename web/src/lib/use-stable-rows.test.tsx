import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { keepOrder, useStableRows } from './use-stable-rows'

const rows = (ids: string, price = 1) => [...ids].map((id) => ({ id, price }))
const idOf = ({ id }: { id: string }) => id

describe('hovered rows', () => {
  it.each([
    ['abc', 'ac', 'abc'],
    ['abc', 'xabc', 'abcx'],
    ['abc', 'cba', 'abc'],
    ['abc', '', 'abc'],
    ['abc', 'xyz', 'xyz'],
    ['', 'abc', 'abc'],
  ])('keep their places from %s as the list becomes %s', (shown, latest, expected) => {
    expect(keepOrder(rows(shown), rows(latest), idOf).map(idOf).join('')).toBe(expected)
  })

  it('show new data', () => {
    expect(keepOrder(rows('ab'), rows('b', 2), idOf)).toEqual([
      { id: 'a', price: 1 },
      { id: 'b', price: 2 },
    ])
  })
})

const cards = ['pikachu', 'charizard', 'mew']

function SearchableCards() {
  const [search, setSearch] = useState('')
  const stable = useStableRows(
    cards.filter((card) => card.includes(search)),
    (card) => card,
  )
  return (
    <>
      <input aria-label="search" value={search} onChange={({ currentTarget }) => setSearch(currentTarget.value)} />
      <button type="button" onClick={() => setSearch('char')}>
        reload
      </button>
      <ul {...stable.on}>
        {stable.rows.map((card) => (
          <li key={card}>{card}</li>
        ))}
      </ul>
    </>
  )
}

const shown = () => screen.getAllByRole('listitem').map((row) => row.textContent)

describe('a pressed list', () => {
  it('keeps its rows when they change', () => {
    render(<SearchableCards />)
    fireEvent.pointerDown(screen.getByText('mew'))
    fireEvent.click(screen.getByRole('button', { name: 'reload' }))
    expect(shown()).toEqual(cards)
  })

  it('shows what a search finds, though the pointer rests on the list', () => {
    render(<SearchableCards />)
    fireEvent.pointerDown(screen.getByText('mew'))
    fireEvent.input(screen.getByRole('textbox', { name: 'search' }), { target: { value: 'char' } })
    expect(shown()).toEqual(['charizard'])
  })
})
