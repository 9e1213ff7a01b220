import { renderHook } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { showLanguage, useT } from '@/i18n'
import { ApiError, type ErrorCode } from '@/contract/error'
import { useToast } from '@/lib/toast'
import { showSellerError } from './seller-error'

/** Errors of listing, repricing and delisting, and a missing response. */
const codes: readonly ErrorCode[] = [
  'not_found',
  'not_listed',
  'already_listed',
  'conflict',
  'network',
  'invalid',
  'malformed',
  'unauthenticated',
  'wallet_mismatch',
  'forbidden',
  'too_large',
  'idempotency_mismatch',
  'rate_limited',
  'internal',
  'unavailable',
]

describe.each(['en', 'zh'] as const)('seller errors in %s', (language) => {
  afterEach(() => showLanguage('en'))

  it.each(codes)('%s doesn’t mention a charge', async (code) => {
    await showLanguage(language)
    const texts = renderHook(useT).result.current
    await showSellerError('title', new ApiError(409, code, 'the server’s own words'), texts)
    const { description } = renderHook(useToast).result.current!
    expect(description).not.toBe('the server’s own words')
    expect(description).not.toMatch(/charged|扣款/)
  })
})
