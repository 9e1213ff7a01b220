import { expect, it } from 'vitest'
import { usefulThresholds } from './pick-under'

const worth = (...dollars: number[]) => dollars.map((value) => ({ baseValueCents: value * 100 }))

it.each([
  ['select some cards, but not all', worth(3, 8, 30), [500, 1000]],
  ['each select other cards than the one below', worth(3, 4, 60), [500]],
  ['are none for cards of about the same value', worth(6, 7, 8), []],
  ['don’t include a card worth exactly that much', worth(5, 9), []],
  ['are none without cards', [], []],
])('the values that select cards %s', (_, items, expected) => {
  expect(usefulThresholds(items)).toEqual(expected)
})
