import { describe, expect, it } from 'vitest'
import { ApiError, type ErrorCode } from '@/contract/error'
import * as en from './texts/en'
import { errorText } from './error-text'
import * as zh from './texts/zh'

describe('errorText', () => {
  it.each(Object.keys(en.errors) as (keyof typeof en.errors)[])('has its own text for %s in both languages', (code) => {
    expect(en.errors[code]).not.toBe('')
    expect(zh.errors[code]).not.toBe(en.errors[code])
  })

  it('translates a known code', () => {
    const error = new ApiError(402, 'insufficient_funds', 'balance too low')
    expect(errorText(error, en)).toBe(en.errors.insufficient_funds)
    expect(errorText(error, zh)).toBe(zh.errors.insufficient_funds)
  })

  it('shows what a limit leaves, and until when', () => {
    const details = { limit: 'loss-day', leftCents: 499, renewsAt: '2026-03-05T00:00:00.000Z' }
    const error = new ApiError(403, 'loss_limit', 'limit', 'r1', {}, details)
    expect(errorText(error, en)).toBe('Your loss limit leaves $4.99 until 2026-03-05 00:00 UTC. You weren’t charged.')
  })

  const until = '2026-09-05T12:00:00.000Z'
  const renewsAt = '2026-03-05T00:00:00.000Z'
  it.each([
    ['house_limit', { rule: 'highestPackCents', most: 2800 }, 'over $28.00', '超过 $28.00'],
    [
      'house_limit',
      { rule: 'spentDayCents', most: 50_000, renewsAt },
      'spend up to $500.00 a day on packs. Try again from 2026-03-05 00:00 UTC',
      '最多花费 $500.00，2026-03-05 00:00 UTC 起',
    ],
    [
      'house_limit',
      { rule: 'opensDay', most: 1000, renewsAt },
      'open up to 1,000 packs a day. Try again from 2026-03-05 00:00 UTC',
      '最多打开 1,000 个卡包，2026-03-05 00:00 UTC 起',
    ],
    ['house_limit', { rule: 'secondsBetween', most: 5, renewsAt }, 'a 5-second wait between packs', '间隔 5 秒'],
    ['switched_off', { rule: 'market' }, 'Trading between collectors is turned off', '用户之间的交易'],
    ['switched_off', { rule: 'sellBack' }, 'doesn’t buy cards back', '不提供回购'],
    ['house_limit', { rule: 'a new one', most: 5 }, 'Our house rules', '本站规则'],
    ['timed_out', { until }, 'until 2026-09-05 12:00 UTC', '2026-09-05 12:00 UTC 结束'],
    ['excluded', { until }, 'until 2026-09-05 12:00 UTC', '2026-09-05 12:00 UTC 解除'],
    ['excluded', { until: null }, 'permanently', '永久'],
  ] as const)('names the rule and the date of %s: %o', (code, details, inEnglish, inChinese) => {
    const error = new ApiError(403, code, 'refused', 'r1', {}, details)
    expect(errorText(error, en)).toContain(inEnglish)
    expect(errorText(error, zh)).toContain(inChinese)
  })

  it('mentions the history only for requests that move money or items', () => {
    const failed = () => new ApiError(500, 'internal', 'oops')
    expect(errorText(failed(), en)).toBe('Something went wrong on our side. Please try again.')
    expect(errorText(failed(), zh)).toBe('服务器出了点问题，请重试。')
    const act = Object.assign(failed(), { isAct: true })
    expect(errorText(act, en)).toBe(en.errors['internal.act'])
    expect(errorText(act, zh)).toBe(zh.errors['internal.act'])
  })

  it('shows the server’s message for an unknown code', () => {
    expect(errorText(new ApiError(418, 'teapot' as ErrorCode, 'Short and stout'), en)).toBe('Short and stout')
  })

  it('shows a generic text for other errors', () => {
    expect(errorText(new TypeError('x is not a function'), en)).toBe('An unexpected error occurred')
  })
})
