import { expect, it } from 'vitest'
import { refusalInChinese } from './zh-refusals'

it.each([
  ['This account is frozen. Unfreeze it first.', '该账户已冻结，请先解冻。'],
  [
    'Card toy-1 has limited stock and is already in pack 8 (Labubu (Deluxe)). Remove it from one of the two packs first.',
    '卡牌 toy-1 库存有限，且已在卡包“Labubu (Deluxe)”中。请先从其中一个卡包移除。',
  ],
  [
    'Pack 8 (Labubu Deluxe Box) would have no items left in the tier Mega Grail ($6,000+). Change its shares first, or add other items.',
    '卡包“Labubu Deluxe Box”的“Mega Grail ($6,000+)”档将没有物品。请先修改各档占比，或添加其他物品。',
  ],
  ['This account was deleted.', '该账户已注销。'],
  ['This request is already approved.', '此申请已获批准。'],
  ["This deposit is refunded and can't become credited.", '该笔充值的状态已变，无法这样处理。'],
  [
    'An admin can credit at most 100000.00 Play Points within 24 hours. Nothing was credited. Try again later, or ask another admin.',
    '每位管理员 24 小时内最多发放 100000.00 点。未发放任何点数，请稍后再试，或由其他管理员操作。',
  ],
])('translates the refusal %s', (message, text) => {
  expect(refusalInChinese(message)).toBe(text)
})

it('leaves refusals that it doesn’t know in English', () => {
  expect(refusalInChinese('Not today.')).toBe('Not today.')
})
