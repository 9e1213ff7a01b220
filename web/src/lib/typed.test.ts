import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
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
    [required(whole(1, 20)), '1e1', ['wrong']],
    [optional(whole(-1, 5)), '-1', -1],
    [optional(whole(-1, 5)), '', undefined],
    [optional(whole(-1, 5)), '-2', ['wrong']],
    [required(priceCents), '1.005', 101],
    [required(priceCents), '0', ['wrong']],
    [required(oneOf(['PSA', 'CGC'])), 'CGC', 'CGC'],
    [required(oneOf(['PSA', 'CGC'])), 'cgc', ['wrong']],
  ])('reads %2$j as %3$j', (schema, typed, value) => {
    expect(read(schema, typed)).toEqual(value)
  })
})
