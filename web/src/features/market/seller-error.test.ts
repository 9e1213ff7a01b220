import { renderHook } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { showLanguage } from '@/i18n'
import { tradeTexts } from '@/i18n/trade'
import { ApiError } from '@/lib/api/error'
import { useSellerErrorText } from './seller-error'

/** Whatever the calls for listing, repricing and taking back can answer, and no answer at all. */
const codes = [
  'already_sold',
  'not_found',
  'not_listed',
  'already_listed',
  'conflict',
  'network',
  'internal',
  'invalid',
  'malformed',
  'unauthenticated',
  'wallet_mismatch',
  'forbidden',
  'too_large',
  'idempotency_mismatch',
  'rate_limited',
  'unavailable',
]

describe.each(['en', 'zh'] as const)('what a seller reads in %s', (language) => {
  afterEach(() => showLanguage('en'))

  it.each(codes)('after %s says nothing of a charge', async (code) => {
    await showLanguage(language)
    await tradeTexts.load()
    const why = renderHook(useSellerErrorText).result.current
    const text = why(new ApiError(409, code, 'the server’s own words'))
    expect(text).not.toBe('the server’s own words')
    expect(text).not.toMatch(/charged|扣款|paid/)
  })
})
