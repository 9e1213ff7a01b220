import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { kinds } from './amount'
import { priceCents } from './price'
import { asTyped, oneOf, optional, required, whole } from './typed'

const read = (schema: z.ZodMiniType<unknown, string>, typed: string) => {
  const { data, error } = schema.safeParse(typed)
  return error ? error.issues.map(({ message }) => message) : data
}

describe('what is typed into a field', () => {
  it.each([
    [required(asTyped), ' Ann ', 'Ann'],
    [required(asTyped), '  ', ['required']],
    [optional(asTyped), '  ', undefined],
    [required(whole(1, 20)), '20', 20],
    [required(whole(1, 20)), '21', ['wrong']],
    [required(whole(1, 20)), '1.5', ['wrong']],
    [required(whole(1, 20)), '1e1', 10],
    [optional(whole(-1, 5, kinds.signedWhole)), '−1', -1],
    [optional(whole(1, 5)), '', undefined],
    [optional(whole(-1, 5, kinds.signedWhole)), '-2', ['wrong']],
    [optional(whole(1, 5)), '-1', ['wrong']],
    [required(whole(50, 120, kinds.wholePercent)), '95 %', 95],
    [required(priceCents), '1，50', 150],
    [required(priceCents), '1.250', ['wrong']],
    [required(priceCents), '0', ['wrong']],
    [required(oneOf(['PSA', 'CGC'])), 'CGC', 'CGC'],
    [required(oneOf(['PSA', 'CGC'])), 'cgc', ['wrong']],
  ])('reads %2$j as %3$j', (schema, typed, value) => {
    expect(read(schema, typed)).toEqual(value)
  })
})
