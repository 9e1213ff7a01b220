import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { categoryOfItem } from './category-of-item'
import { config } from './config'

interface Item {
  series: string
  name: string
}

const folder = '../internal/demo/data/items/'
const demo = readdirSync(folder).flatMap((file) => JSON.parse(readFileSync(folder + file, 'utf8')) as Item[])
const starters = demo.filter(({ series }) => series === 'Starter')
const settings = config.catalogue.categories

it('each demo item is in a category: its series’ category, if there is one', () => {
  for (const item of demo) {
    const own = settings.find(({ series }) => series.includes(item.series))?.id
    expect(categoryOfItem(item), item.name).toBe(own ?? categoryOfItem(item))
    expect(categoryOfItem(item), item.name).toBeDefined()
  }
})

it('the starter pool has cards of each category except toys', () => {
  const count = (id: string) => starters.filter((item) => categoryOfItem(item) === id).length
  expect(settings.map(({ id }) => [id, count(id)])).toEqual([
    ['pokemon', 11],
    ['onepiece', 6],
    ['basketball', 6],
    ['football', 5],
    ['soccer', 6],
    ['baseball', 6],
    ['labubu', 0],
  ])
})

it('an item of another series is in no category, regardless of its name', () => {
  expect(categoryOfItem({ series: 'Gems', name: 'Pokemon' })).toBeUndefined()
})
