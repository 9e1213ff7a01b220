import { expect, test } from 'vitest'
import { challengeFor } from '@test/fixtures/auth'
import { base58 } from './base58'
import { canMakeDemoWallet, demoWallet } from './demo'

async function publicKeyOf(): Promise<{ key: CryptoKey; address: string }> {
  const jwk = JSON.parse(localStorage.getItem('demo-wallet') ?? '') as JsonWebKey
  const publicJwk = { kty: 'OKP', crv: 'Ed25519', x: jwk.x ?? '' }
  const key = await crypto.subtle.importKey('jwk', publicJwk, { name: 'Ed25519' }, true, ['verify'])
  return { key, address: base58(new Uint8Array(await crypto.subtle.exportKey('raw', key))) }
}

test('keeps one key in this browser', async () => {
  expect(canMakeDemoWallet()).toBe(true)
  const address = await demoWallet.connect({ silent: false })
  expect(address).toBe((await publicKeyOf()).address)
  await demoWallet.disconnect()
  await expect(demoWallet.connect({ silent: true })).resolves.toBe(address)
  localStorage.clear()
  await expect(demoWallet.connect({ silent: false })).resolves.not.toBe(address)
})

test('signs the challenge with that key', async () => {
  const challenge = challengeFor(await demoWallet.connect({ silent: false }))
  const { signature, signedMessage } = await demoWallet.sign(challenge)
  const { key } = await publicKeyOf()
  const message = new TextEncoder().encode(challenge.message)
  expect(signedMessage).toEqual(message)
  await expect(crypto.subtle.verify('Ed25519', key, Uint8Array.from(signature), message)).resolves.toBe(true)
})
