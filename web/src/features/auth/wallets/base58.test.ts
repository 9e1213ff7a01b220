import { expect, test } from 'vitest'
import { base58, base64, fromBase58 } from './base58'

test.each([
  [[], ''],
  [[0], '1'],
  [[0, 0, 1], '112'],
  [[57], 'z'],
  [[58], '21'],
  [[...new TextEncoder().encode('Hello World!')], '2NEpo7TZRRrLZSi2U'],
  [[0, 0, 0x28, 0x7f, 0xb4, 0xcd], '11233QC4'],
  [Array.from({ length: 32 }, () => 0), '1'.repeat(32)],
])('base58 of %j', (bytes, text) => {
  expect(base58(Uint8Array.from(bytes))).toBe(text)
  expect([...fromBase58(text)]).toEqual(bytes)
})

test('characters outside base58 are refused', () => {
  expect(() => fromBase58('0')).toThrow('not base58')
})

test('base64 keeps every byte', () => {
  expect(base64(Uint8Array.from([0xff, 0x73, 0x6f, 0x00]))).toBe('/3NvAA==')
})
