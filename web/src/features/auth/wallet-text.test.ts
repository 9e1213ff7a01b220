import { expect, test } from 'vitest'
import * as en from '@/i18n/texts/en'
import * as zh from '@/i18n/texts/zh'
import { progressText, signInErrorText } from './wallet-text'
import { demoId, newPasskeyId, passkeyId, phantomId, walletError, WalletError } from './wallets/wallet'

test.each([passkeyId, newPasskeyId])('what the browser says about %s isn’t shown, whatever failed', (id) => {
  const operation = walletError(new DOMException('The operation failed for an operation-specific reason'))
  expect(operation.problem).toBe('failed')
  for (const t of [en, zh]) {
    const own = t.identity.walletErrors['passkey-failed']()
    expect(signInErrorText(operation, id, t)).toBe(own)
    expect(signInErrorText(new WalletError('passkey-failed', 'SecurityError'), id, t)).toBe(own)
  }
})

test('what another wallet says is shown', () => {
  const error = new WalletError('failed', 'Locked')
  expect(signInErrorText(error, phantomId, en)).toBe('Failed to connect to Phantom: Locked')
})

test('in Chinese, only Latin names stand between spaces', () => {
  expect(progressText('connecting', phantomId, zh)).toBe('正在等待 Phantom…')
  expect(progressText('connecting', demoId, zh)).toBe('正在等待测试钱包…')
  expect(progressText('signing', phantomId, zh)).toBe('请在 Phantom 中签署消息…')
  expect(progressText('signing', demoId, zh)).toBe('请在测试钱包中签署消息…')
})

test('users sign in other wallets, but with a passkey', () => {
  expect(progressText('signing', phantomId, en)).toBe('Sign the message in Phantom…')
  for (const id of [passkeyId, newPasskeyId]) {
    expect(progressText('signing', id, en)).toBe('Sign the message with your passkey…')
    expect(progressText('signing', id, zh)).toBe('请用通行密钥签署消息…')
  }
})
