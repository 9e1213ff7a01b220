import { expect, test } from 'vitest'
import { assertSignedMessage, WalletError, checkedSignature, walletError } from './wallet'

test.each([
  [{ code: 4001, message: 'User rejected the request.' }, 'cancelled'],
  [{ code: -32603, message: 'Internal JSON-RPC error.' }, 'cancelled'],
  [new Error('User rejected the request.'), 'cancelled'],
  [new Error('The user cancelled'), 'cancelled'],
  ['User canceled', 'cancelled'],
  [{ code: -32002, message: 'Unexpected' }, 'pending'],
  [new Error('Connection request already pending'), 'pending'],
  [{ code: -32000, message: 'Wallet is locked' }, 'failed'],
  [new Error('boom'), 'failed'],
  [undefined, 'failed'],
  [{}, 'failed'],
  [new WalletError('invalid-response'), 'invalid-response'],
])('%j is %s', (thrown, problem) => {
  expect(walletError(thrown).problem).toBe(problem)
})

test('the wallet’s own message is kept', () => {
  expect(walletError(new Error('Wallet is locked')).message).toBe('Wallet is locked')
  expect(walletError({ message: 7 }).message).toBe('')
})

test.each([undefined, new Uint8Array(0), new Uint8Array(63), new Uint8Array(65)])(
  'a signature that isn’t 64 bytes long is invalid: %j',
  (signature) => {
    expect(() => checkedSignature(signature, null)).toThrow(new WalletError('invalid-response'))
  },
)

test.each([
  ['no message returned', null, true],
  ['the message', 'sign in', true],
  ['the message in an envelope', '\u00FFsolana offchain sign in', true],
  ['another message', 'sign out', false],
  ['part of the message', 'in', false],
  ['the message with a suffix', 'sign in here', false],
])('recognizes the signed message: %s', (_, text, right) => {
  const signedMessage = text === null ? null : new TextEncoder().encode(text)
  const check = () => assertSignedMessage({ signature: new Uint8Array(64), signedMessage }, 'sign in')
  if (right) expect(check).not.toThrow()
  else expect(check).toThrow(expect.objectContaining({ problem: 'other-message' }))
})
