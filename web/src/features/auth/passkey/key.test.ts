import { getBase58Encoder } from '@solana/kit'
import { createHash, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { deriveSecretKey, prfInput, deriveKey } from './key'

/** The pinned vector: a different result means that every passkey wallet has changed its address. */
const prfOutput = () => Uint8Array.from({ length: 32 }, (_, i) => i)
const seed = 'b5360c4735cdda2235078656a0ec6c771e3482916d4c1320397042a7e302a2d8'
const address = '5RnUJir1uouPdARUYr7ejtkgPketEdaXvniQX7VdDveF'
const secretKey = '4d8jysB4PDH2C9PWWy7zjxoBjcb3pm6ApgcGH9WSMFJqu1j3tbXdCHn2GeBKqC52R6YFDL61ygJoCmoffFFtQoxF'
const signatureOfKaibao = 'i2V4Acj7hwoWzjJyi/jhHu8id7xqlNE9jJSX9UzbtyC/gktFqW6bmxz5Pu6Wz5sWQQCPOYBQm7p/Lc8RXvL4Cg=='

test('the vector agrees with HKDF (RFC 5869) and Ed25519 of another implementation', () => {
  const pseudorandom = createHmac('sha256', Buffer.alloc(createHash('sha256').digest().length)).update(prfOutput())
  const derived = createHmac('sha256', pseudorandom.digest())
    .update(Buffer.from('kaibao/passkey-wallet/v1\x01'))
    .digest()
  expect(derived.toString('hex')).toBe(seed)
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), derived]),
    format: 'der',
    type: 'pkcs8',
  })
  expect(sign(null, Buffer.from('Kaibao'), key).toString('base64')).toBe(signatureOfKaibao)
  const publicKey = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url')
  const bytes = getBase58Encoder().encode(secretKey)
  expect(Buffer.from(bytes).toString('hex')).toBe(seed + publicKey.toString('hex'))
})

test('derives the pinned address and signature', async () => {
  expect(new TextDecoder().decode(prfInput)).toBe('kaibao/passkey-wallet/v1')
  const key = await deriveKey(prfOutput())
  expect(key.address).toBe(address)
  const signature = await key.sign(new TextEncoder().encode('Kaibao'))
  expect(Buffer.from(signature).toString('base64')).toBe(signatureOfKaibao)
})

test('exports the pinned secret key', async () => {
  await expect(deriveSecretKey(prfOutput())).resolves.toEqual({ address, secretKey })
})

test('overwrites the PRF output, also after a failure', async () => {
  for (const derive of [deriveKey, deriveSecretKey]) {
    const output = prfOutput()
    await derive(output)
    expect(output).toEqual(new Uint8Array(32))
  }
  const unused = prfOutput()
  vi.spyOn(crypto.subtle, 'importKey').mockRejectedValue(new Error('no'))
  await expect(deriveKey(unused)).rejects.toThrow('no')
  expect(unused).toEqual(new Uint8Array(32))
})

test('signs with a key that can’t be exported', async () => {
  const signing = vi.spyOn(crypto.subtle, 'sign')
  await (await deriveKey(prfOutput())).sign(new Uint8Array(1))
  expect(signing.mock.calls.map(([, key]) => key.extractable)).toEqual([false])
})
