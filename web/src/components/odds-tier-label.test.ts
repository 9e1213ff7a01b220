import { expect, it } from 'vitest'
import { items as en } from '@/i18n/texts/en'
import { items as zh } from '@/i18n/texts/zh'
import { oddsTierLabel } from './odds-tier-label'

it.each([
  ['Secret Rare', '隐藏款'],
  ['Legendary', '传说'],
  ['Rare ($200-500)', '稀有（$200-500）'],
  ['Grail ($1,000-2,900)', '顶级大奖（$1,000-2,900）'],
  ['Super Grail ($2,000-4,000)', '至尊大奖（$2,000-4,000）'],
  ['Mega Grail ($6,000+)', '终极大奖（$6,000+）'],
  ['$5-15', '$5-15'],
  ['Exciting Macaron', '心动马卡龙'],
  ['Weekend special', 'Weekend special'],
  ['Weekend special (new)', 'Weekend special (new)'],
])('translates the tier %s', (label, chinese) => {
  expect(oddsTierLabel(label, zh)).toBe(chinese)
  expect(oddsTierLabel(label, en)).toBe(label)
})
