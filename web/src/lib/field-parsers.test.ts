import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { numberKinds } from './parse-number'
import { priceCents } from './parse-price'
import { anyText, oneOf, optional, required, wholeNumber } from './field-parsers'

const read = (schema: z.ZodMiniType<unknown, string>, typed: string) => {
  const { data, error } = schema.safeParse(typed)
  return error ? error.issues.map(({ message }) => message) : data
}

describe('field parsers', () => {
  it.each([
    [required(anyText), ' Ann ', 'Ann'],
    [required(anyText), '  ', ['required']],
    [optional(anyText), '  ', undefined],
    [required(wholeNumber(1, 20)), '20', 20],
    [required(wholeNumber(1, 20)), '21', ['wrong']],
    [required(wholeNumber(1, 20)), '1.5', ['wrong']],
    [required(wholeNumber(1, 20)), '1e1', 10],
    [optional(wholeNumber(-1, 5, numberKinds.signedWhole)), '−1', -1],
    [optional(wholeNumber(1, 5)), '', undefined],
    [optional(wholeNumber(-1, 5, numberKinds.signedWhole)), '-2', ['wrong']],
    [optional(wholeNumber(1, 5)), '-1', ['wrong']],
    [required(wholeNumber(50, 120, numberKinds.wholePercent)), '95 %', 95],
    [required(priceCents), '1，50', 150],
    [required(priceCents), '1.250', ['wrong']],
    [required(priceCents), '0', ['wrong']],
    [required(oneOf(['PSA', 'CGC'])), 'CGC', 'CGC'],
    [required(oneOf(['PSA', 'CGC'])), 'cgc', ['wrong']],
  ])('parse %2$j as %3$j', (schema, typed, value) => {
    expect(read(schema, typed)).toEqual(value)
  })
})
