import { describe, expect, it } from 'vitest'
import { ApiError, type ErrorCode } from '@/lib/contract/error'
import * as en from './texts/en'
import { errorText } from './error-text'
import * as zh from './texts/zh'

describe('errorText', () => {
  it.each(Object.keys(en.errors) as (keyof typeof en.errors)[])(
    'has a text of its own for %s in both languages',
    (code) => {
      expect(en.errors[code]).not.toBe('')
      expect(zh.errors[code]).not.toBe(en.errors[code])
    },
  )

  it('says a known code in the language of the visitor', () => {
    const error = new ApiError(402, 'insufficient_funds', 'balance too low')
    expect(errorText(error, en)).toBe(en.errors.insufficient_funds)
    expect(errorText(error, zh)).toBe(zh.errors.insufficient_funds)
  })

  it('says what a limit leaves, and until when', () => {
    const details = { limit: 'loss-day', leftCents: 499, renewsAt: '2026-03-05T00:00:00.000Z' }
    const error = new ApiError(403, 'loss_limit', 'limit', 'r1', {}, details)
    expect(errorText(error, en)).toBe(
      'Your limit on net losses leaves $4.99 until 2026-03-05 00:00 UTC. You were not charged.',
    )
  })

  it('says an unknown code in the words of the server', () => {
    expect(errorText(new ApiError(418, 'teapot' as ErrorCode, 'Short and stout'), en)).toBe('Short and stout')
  })

  it('says little about errors that are none of the server', () => {
    expect(errorText(new TypeError('x is not a function'), en)).toBe('An unexpected error occurred')
  })
})
