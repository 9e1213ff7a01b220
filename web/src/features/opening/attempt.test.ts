import { describe, expect, it } from 'vitest'
import { forgetAttempt, isSeed, prepareAttempt, randomSeed, replaceAttempt, saveAttempt } from './attempt'

const terms = { packId: '2', commitment: 'c1', manifest: 'm1' }

it('makes 32 random bytes as hex', () => {
  expect(randomSeed()).toMatch(/^[0-9a-f]{64}$/)
  expect(randomSeed()).not.toBe(randomSeed())
})

it.each([
  ['', false],
  ['a', true],
  ['random', true],
  ['我'.repeat(42), true],
  ['我'.repeat(43), false],
  ['x'.repeat(128), true],
  ['x'.repeat(129), false],
  ['\ud800', false],
])('accepts seeds of 1 to 128 bytes of text: %j %s', (seed, ok) => {
  expect(isSeed(seed)).toBe(ok)
})

describe('the stored attempt', () => {
  it('reuses the attempt made for the same terms', () => {
    const first = prepareAttempt('alice', terms)
    expect(prepareAttempt('alice', terms)).toEqual(first)
  })

  it('belongs to one wallet and one pack', () => {
    const first = prepareAttempt('alice', terms)
    expect(prepareAttempt('bob', terms).clientSeed).not.toBe(first.clientSeed)
    expect(prepareAttempt('alice', { ...terms, packId: '3' }).clientSeed).not.toBe(first.clientSeed)
  })

  it('makes a new seed when commitment or manifest changed and nothing was sent', () => {
    const first = prepareAttempt('alice', terms)
    const other = prepareAttempt('alice', { ...terms, commitment: 'c2' })
    expect(other).toMatchObject({ commitment: 'c2', sent: false })
    expect(other.clientSeed).not.toBe(first.clientSeed)
    expect(prepareAttempt('alice', { ...terms, commitment: 'c2', manifest: 'm2' }).manifest).toBe('m2')
  })

  it('keeps a sent attempt even if the terms changed, because its result may be waiting', () => {
    const sent = { ...prepareAttempt('alice', terms), sent: true }
    saveAttempt('alice', sent)
    expect(prepareAttempt('alice', { packId: '2', commitment: 'c2', manifest: 'm2' })).toEqual(sent)
  })

  it('isn’t replaced by another tab once it was sent', () => {
    const sent = { ...prepareAttempt('alice', terms), sent: true }
    saveAttempt('alice', sent)
    saveAttempt('alice', { ...sent, clientSeed: 'typed', sent: false })
    replaceAttempt('alice', { ...terms, commitment: 'c2' })
    expect(prepareAttempt('alice', terms)).toEqual(sent)
  })

  it('learns its nonce if an earlier version stored it without one', () => {
    const { clientSeed } = prepareAttempt('alice', terms)
    expect(prepareAttempt('alice', { ...terms, nonce: 7 })).toMatchObject({ clientSeed, nonce: 7 })
  })

  it('is removed once answered, unless another attempt has replaced it', () => {
    const first = prepareAttempt('alice', terms)
    const second = replaceAttempt('alice', terms)
    forgetAttempt('alice', first)
    expect(prepareAttempt('alice', terms)).toEqual(second)
    forgetAttempt('alice', second)
    expect(localStorage.length).toBe(0)
  })

  it('survives invalid stored data', () => {
    for (const broken of ['{', 'null', '{"packId":"2"}', '[]']) {
      localStorage.setItem('opening:alice:2', broken)
      expect(prepareAttempt('alice', terms)).toMatchObject({ ...terms, sent: false })
    }
  })
})
