import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import {
  createGiftSecret,
  forgetGivenSecret,
  giftLink,
  giftSecretHash,
  givenSecret,
  keepGivenSecret,
  knownSecret,
  openGiftLink,
} from './gift-secret'

it('makes a new secret of 128 bits each time', () => {
  const secrets = Array.from({ length: 50 }, createGiftSecret)
  expect(new Set(secrets).size).toBe(50)
  for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{32}$/)
})

it('hashes the secret’s bytes, not its hex text', async () => {
  const secret = '00112233445566778899aabbccddeeff'
  const expected = createHash('sha256').update(Buffer.from(secret, 'hex')).digest('hex')
  expect(await giftSecretHash(secret)).toBe(expected)
  await expect(giftSecretHash('0011')).rejects.toThrow('not a gift secret')
})

it('puts the secret only behind the # of a link', () => {
  const link = new URL(giftLink('g1', 'ab'.repeat(16)))
  expect(link.pathname + link.search).toBe('/gift/g1')
  expect(link.hash).toBe(`#${'ab'.repeat(16)}`)
})

it('keeps a given secret until the gift has ended', () => {
  keepGivenSecret('g2', 'cd'.repeat(16))
  expect(givenSecret('g2')).toBe('cd'.repeat(16))
  expect(knownSecret('g2')).toBe('cd'.repeat(16))
  forgetGivenSecret('g2')
  expect(givenSecret('g2')).toBeUndefined()
})

it('keeps an opened link’s secret if it can be one', () => {
  openGiftLink('g3', 'section-2')
  openGiftLink('g3', 'EF'.repeat(16))
  expect(knownSecret('g3')).toBeUndefined()
  openGiftLink('g3', 'ef'.repeat(16))
  expect(knownSecret('g3')).toBe('ef'.repeat(16))
  expect(givenSecret('g3')).toBeUndefined()
})
