import { describe, expect, it } from 'vitest'
import { labubu, pokemon } from '@test/data'
import { packsOnTab, storeTabs, tabOfHash } from './store-tabs'

describe('the store’s tabs', () => {
  it.each(storeTabs)('a hash that is exactly %s selects it', (name) => {
    expect(tabOfHash(name)).toBe(name)
  })

  it.each(['', 'Pokemon', 'pokemon ', 'marvel', '#pokemon'])('the hash "%s" selects nothing', (hash) => {
    expect(tabOfHash(hash)).toBe('featured')
  })

  it('puts each pack into its series’ category, and all but demo packs on Featured', () => {
    const demo = { ...pokemon, id: 'demo-pack-1', series: ['Starter'], isDemo: true }
    const starter = { ...pokemon, id: 'a', series: ['Starter'] }
    const everything = { ...pokemon, id: 'b', series: [] }
    const packs = [pokemon, labubu, demo, starter, everything]
    expect(packsOnTab(packs, 'featured')).toEqual([pokemon, labubu, starter, everything])
    expect(packsOnTab(packs, 'labubu')).toEqual([labubu])
    expect(packsOnTab(packs, 'soccer')).toEqual([])
  })
})
