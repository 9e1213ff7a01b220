import { afterEach, describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { shell } from '@/i18n/texts/en'
import { items, shell as zh } from '@/i18n/texts/zh'
import { normalizeSearch } from '@/lib/normalize-search'
import { config } from '@/lib/config'
import { labubu, labubuDetail, pokemon, pokemonDetail } from '@test/data'
import { targetsFor } from './search'

const places = {
  names: shell.nav,
  language: 'en' as const,
  seriesName: (series: string) => series,
  isAdmin: false,
  packs: [pokemon, labubu],
  items: [...pokemonDetail.showcase, ...labubuDetail.showcase],
}
const found = (query: string, more = {}) => targetsFor(query, { ...places, items: [], ...more }).map(({ to }) => to)

describe('the command palette', () => {
  afterEach(() => void (config.rules.market = true))

  it('finds pages and packs by any part of their names, in any case and order', () => {
    expect(found('HISTORY pull')).toEqual(['/my-opens'])
    expect(found('labubu')).toEqual(['/labubus', '/pack/7'])
    expect(found('nothing like it')).toEqual([])
  })

  it('finds Chinese names in traditional characters', () => {
    const chinese = { names: zh.nav, language: 'zh', packs: [pokemon] }
    expect(found('寶可夢', chinese)).toEqual([`/pack/${pokemon.id}`])
    expect(found('校驗抽取', chinese)).toEqual(['/verify'])
    const pairs = readFileSync('../internal/searchtext/simplified.txt', 'utf8').replaceAll('\n', '').match(/../gu) ?? []
    const ours = [...Object.values(zh.nav), ...Object.values(items.categories)].join('')
    expect(
      pairs
        .filter(([, simple = '']) => ours.includes(simple))
        .filter(([from = '', to]) => normalizeSearch(from) !== to),
    ).toEqual([])
  })

  it('finds packs by their English and Chinese names, and shows the name in the page’s language', () => {
    const targets = (query: string, language: 'en' | 'zh') =>
      targetsFor(query, { ...places, names: language === 'zh' ? zh.nav : shell.nav, language, items: [] })
        .filter(({ kind }) => kind === 'packs')
        .map(({ text }) => text)
    expect(targets('pokemon', 'zh')).toEqual(['宝可梦'])
    expect(targets('宝可梦', 'zh')).toEqual(['宝可梦'])
    expect(targets('宝可梦', 'en')).toEqual(['Pokemon'])
    expect(targets('base box', 'zh')).toEqual(['Labubu 经典盲盒'])
    const { nameZh: _, ...unnamed } = pokemon
    const named = targetsFor('pokemon', { ...places, language: 'zh', packs: [unnamed], items: [] })
    expect(named.map(({ text }) => text)).toEqual(['Pokemon'])
  })

  it('lists every page before any input, and the admin page only to admins', () => {
    expect(found('')).not.toContain('/admin')
    expect(found('', { isAdmin: true })).toContain('/admin')
    expect(found('')).toContain('/leaderboard')
  })

  it('lists the marketplace only if it is enabled', () => {
    expect(found('marketplace')).toEqual(['/marketplace'])
    config.rules.market = false
    expect(found('marketplace')).toEqual([])
  })

  it('links to the items that the server found', () => {
    expect(targetsFor('zzz', places).map(({ to }) => to)).toEqual(['/item/pkm-001', '/item/labubu-1'])
  })
})
