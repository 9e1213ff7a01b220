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

  it('says an unknown code in the words of the server', () => {
    expect(errorText(new ApiError(418, 'teapot' as ErrorCode, 'Short and stout'), en)).toBe('Short and stout')
  })

  it('says little about errors that are none of the server', () => {
    expect(errorText(new TypeError('x is not a function'), en)).toBe('An unexpected error occurred')
  })
})
