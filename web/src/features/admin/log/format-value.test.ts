import { describe, expect, it } from 'vitest'
import { claim as claimEn } from '@/components/claim/texts/en'
import { claim as claimZh } from '@/components/claim/texts/zh'
import { items as itemsEn } from '@/i18n/texts/en'
import { items as itemsZh } from '@/i18n/texts/zh'
import { dateTime } from '@/lib/format'
import { admin as operateEn, log as trailEn } from '../texts/en'
import { log as trailZh, admin as operateZh } from '../texts/zh'
import { type ValueTexts, formatValue } from './format-value'

const en: ValueTexts = {
  language: 'en',
  t: trailEn,
  catalogue: itemsEn,
  byField: { state: claimEn.states, rarity: itemsEn.rarities, subject: operateEn.subjects },
}
const zh: ValueTexts = {
  language: 'zh',
  t: trailZh,
  catalogue: itemsZh,
  byField: { state: claimZh.states, rarity: itemsZh.rarities, subject: operateZh.subjects },
}
const at = '2026-11-22T17:00:00.000Z'

describe('formatValue', () => {
  it.each([
    ['priceCents', 123456, '$1,234.56', '$1,234.56'],
    ['acceptedLossCents', -1, 'unlimited', '不设上限'],
    ['acceptedLossCents', 10_000, '$100.00', '$100.00'],
    ['supply', -1, 'unlimited', '不限'],
    ['supply', 5000, '5,000', '5,000'],
    ['grade', 9.5, '9.5', '9.5'],
    ['expiresAt', at, dateTime(at, 'en'), dateTime(at, 'zh')],
    ['isActive', false, 'no', '否'],
    ['state', 'shipped', 'On its way', '运输中'],
    ['state', 'unheard-of', 'unheard-of', 'unheard-of'],
    ['state', 'toString', 'toString', 'toString'],
    ['rarity', 'Mythic', 'Mythic', '神话'],
    ['name', 'Mythic', 'Mythic', 'Mythic'],
    ['subject', 'pack 7', 'Pack 7', '卡包 7'],
    ['subject', 'catalogue', 'Catalog', '目录'],
    ['subject', 'moon 7', 'moon 7', 'moon 7'],
    ['series', [], 'all series', '全部系列'],
    ['series', ['Pokemon', 'Soccer'], 'Pokemon · Soccer', 'Pokemon · Soccer'],
    ['stock', { packName: 'Toys', left: 24 }, 'Pack Toys · left 24', '卡包 Toys · 剩余 24'],
    [
      'shares',
      [
        { label: 'Common', share: '0.9985' },
        { label: 'Mega Grail ($6,000+)', share: '0.0015' },
      ],
      'Common 99.85% · Mega Grail ($6,000+) 0.15%',
      '普通 99.85% · 终极大奖（$6,000+） 0.15%',
    ],
  ])('writes %s %j in both languages', (field, value, english, chinese) => {
    expect(formatValue(field, value, en)).toBe(english)
    expect(formatValue(field, value, zh)).toBe(chinese)
  })

  it.each([[null], [undefined], [''], [{}], [[]]])('returns nothing for %j', (value) => {
    expect(formatValue('name', value, en)).toBeUndefined()
  })
})
