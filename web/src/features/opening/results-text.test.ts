import { expect, it } from 'vitest'
import { items as en } from '@/i18n/texts/en'
import { opening as openingEn } from './texts/en'
import { items as zh } from '@/i18n/texts/zh'
import { opening as openingZh } from './texts/zh'
import type { Opening } from '@/contract/types'
import { resultsText } from './results-text'

const opening = {
  items: [
    { name: 'Charizard', rarity: 'Epic', baseValueCents: 123_456 },
    { name: 'Pidgey', rarity: 'Common', baseValueCents: 99 },
  ],
  totalValueCents: 123_555,
} as Opening

it('lists each card with name, rarity and value, and the total', () => {
  expect(resultsText(opening, { catalogue: en, opening: openingEn })).toBe(
    'Charizard - Epic - $1,234.56\nPidgey - Common - $0.99\nTotal: $1,235.55',
  )
})

it('uses the page’s language', () => {
  expect(resultsText(opening, { catalogue: zh, opening: openingZh })).toContain(
    `Charizard，${zh.rarities.Epic}，$1,234.56`,
  )
  expect(resultsText(opening, { catalogue: zh, opening: openingZh })).toContain('合计：$1,235.55')
})
