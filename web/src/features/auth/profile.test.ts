import { expect, it } from 'vitest'
import { profileSchema } from './profile'

function problemOf(typed: { firstName?: string; profileImageUrl?: string }): string | undefined {
  const read = profileSchema.safeParse({ firstName: '', profileImageUrl: '', ...typed })
  return read.error?.issues[0]?.message
}

it.each([
  ['', undefined],
  ['  ', undefined],
  ['Ann', undefined],
  ['卡包玩家', undefined],
  ['🐼'.repeat(24), undefined],
  [` ${'x'.repeat(24)} `, undefined],
  ['x'.repeat(25), 'long'],
  ['㍿'.repeat(7), 'long'],
  ['a\u202eb', 'hidden'],
  ['a\u200bb', 'hidden'],
  ['a\u2028b', 'hidden'],
  ['a\u0007', 'hidden'],
])('validates the name %j: %s', (firstName, problem) => {
  expect(problemOf({ firstName })).toBe(problem)
})

it.each([
  ['', undefined],
  [' https://a.example/b.png ', undefined],
  ['HTTPS://a.example', undefined],
  ['http://a.example/b.png', 'address'],
  ['//a.example/b.png', 'address'],
  ['a.example', 'address'],
  ['javascript:alert(1)', 'address'],
  ['https://me:secret@a.example', 'address'],
  [`https://a.example/${'b'.repeat(500)}`, 'address'],
])('validates the picture URL %j: %s', (profileImageUrl, problem) => {
  expect(problemOf({ profileImageUrl })).toBe(problem)
})

it('accepts empty fields', () => {
  expect(profileSchema.parse({ firstName: ' ', profileImageUrl: '' })).toEqual({
    firstName: null,
    profileImageUrl: null,
  })
  expect(profileSchema.parse({ firstName: ' Ann ', profileImageUrl: ' https://a.example ' })).toEqual({
    firstName: 'Ann',
    profileImageUrl: 'https://a.example',
  })
})
