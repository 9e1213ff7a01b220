import { expect, it } from 'vitest'
import { config } from '@/lib/config'

const dictionaries = import.meta.glob<string>('/src/**/texts/**/{en,zh}.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const { terms, rates } = config
/** Patterns of configured amounts in texts, with enough context to exclude other numbers. */
const figures = [
  `${rates.listing / 100} ?%`,
  '90 ?%',
  ...[terms.mostDeposit, terms.longestPortrait, terms.longestItemName, terms.longestPicture].flatMap((n) => [
    String(n),
    n.toLocaleString('en'),
  ]),
  `${terms.longestUserName} (characters|个字符)`,
]
const figure = new RegExp(`(?<![\\d,.])(${figures.join('|')})(?![\\d,])`)

it('reads the dictionaries', () => {
  expect(Object.keys(dictionaries).length).toBeGreaterThan(20)
})

it.each(Object.entries(dictionaries))('takes amounts set by configuration as parameters in %s', (_, text) => {
  expect(text.split('\n').filter((line) => figure.test(line))).toEqual([])
})
