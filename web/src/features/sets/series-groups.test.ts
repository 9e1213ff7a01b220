import { expect, it } from 'vitest'
import type { CardSet } from '@/contract/types'
import { seriesGroups } from './series-groups'

const set = (series: string, name: string): CardSet => ({
  id: `${series} ${name}`,
  series,
  name,
  cardCount: 1,
  imageUrls: [],
})

it('groups sets by series, the whole series first', () => {
  const all = [set('A', ''), set('A', '1999 Base'), set('A', '2000 Jungle'), set('B', '')]
  expect(seriesGroups(all)).toEqual([
    { whole: all[0], sets: [all[1], all[2]] },
    { whole: all[3], sets: [] },
  ])
  expect(seriesGroups([])).toEqual([])
})
