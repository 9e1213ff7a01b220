import { expect, it } from 'vitest'
import { refusalInChinese } from './zh-refusals'

it.each([
  ['This account is frozen. Unfreeze it first.', '该账户已冻结，请先解冻。'],
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
