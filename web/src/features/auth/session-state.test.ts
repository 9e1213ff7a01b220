import { describe, expect, test } from 'vitest'
import { userOf } from '@test/fixtures/auth'
import { initialState, hasWalletMismatch, reduce, viewOf, type SessionEvent, type SessionState } from './session-state'

const ann = userOf('ann')

function after(...events: SessionEvent[]): SessionState {
  return events.reduce(reduce, initialState)
}

describe('status', () => {
  test.each<[string, SessionEvent[]]>([
    ['loading', []],
    ['loading', [{ type: 'wallet-checked' }]],
    ['loading', [{ type: 'user-known', user: null }]],
    ['signed-out', [{ type: 'user-known', user: null }, { type: 'wallet-checked' }]],
    ['signed-in', [{ type: 'user-known', user: ann }]],
    ['signed-in', [{ type: 'user-known', user: ann }, { type: 'wallet-checked' }]],
    ['signed-out', [{ type: 'wallet-checked' }, { type: 'signed-in', user: ann }, { type: 'user-known', user: null }]],
  ])('%s after %j', (status, events) => {
    expect(viewOf(after(...events)).status).toBe(status)
  })
})

describe('address', () => {
  test('is the session’s while no wallet is connected', () => {
    expect(viewOf(after({ type: 'user-known', user: ann })).address).toBe('ann')
  })
  test('is the wallet’s as soon as there is one', () => {
    const state = after({ type: 'user-known', user: ann }, { type: 'wallet-shows', address: 'bob' })
    expect(viewOf(state)).toMatchObject({ status: 'signed-in', user: ann, address: 'bob', walletMismatch: true })
  })
  test('is null without either', () => {
    expect(viewOf(after({ type: 'user-known', user: null })).address).toBeNull()
  })
})

describe('another account in the wallet', () => {
  const mismatched = after({ type: 'signed-in', user: ann }, { type: 'wallet-shows', address: 'bob' })

  test('locks the page and asks for a sign-in', () => {
    expect(mismatched).toMatchObject({ dialogOpen: true, attempt: { stage: 'idle' } })
    expect(hasWalletMismatch(mismatched)).toBe(true)
  })
  test('stays locked when the dialog is closed, and doesn’t reopen the dialog', () => {
    const closed = reduce(mismatched, { type: 'dialog-closed' })
    expect(hasWalletMismatch(closed)).toBe(true)
    expect(reduce(closed, { type: 'user-known', user: ann }).dialogOpen).toBe(false)
  })
  test('unlocks when it changes back', () => {
    const back = reduce(mismatched, { type: 'wallet-shows', address: 'ann' })
    expect(back.dialogOpen).toBe(false)
    expect(hasWalletMismatch(back)).toBe(false)
  })
  test('unlocks when the new account has signed in, here or in another tab', () => {
    for (const type of ['signed-in', 'user-known'] as const) {
      const state = reduce(mismatched, { type, user: userOf('bob') })
      expect(viewOf(state)).toMatchObject({ status: 'signed-in', address: 'bob', walletMismatch: false })
      expect(state.dialogOpen).toBe(false)
    }
  })
  test('keeps asking when the wallet switched again during the sign-in', () => {
    const state = reduce(reduce(mismatched, { type: 'wallet-shows', address: 'cid' }), {
      type: 'signed-in',
      user: userOf('bob'),
    })
    expect(state.dialogOpen).toBe(true)
    expect(hasWalletMismatch(state)).toBe(true)
  })
  test('doesn’t matter when signed out', () => {
    const state = after({ type: 'user-known', user: null }, { type: 'wallet-shows', address: 'bob' })
    expect(state.dialogOpen).toBe(false)
    expect(hasWalletMismatch(state)).toBe(false)
  })
})

describe('the dialog', () => {
  const open = after({ type: 'dialog-opened' })

  test('goes through connecting and signing, then closes', () => {
    const connecting = reduce(open, { type: 'connecting', wallet: 'Phantom' })
    expect(connecting.attempt).toEqual({ stage: 'connecting', wallet: 'Phantom' })
    const signing = reduce(connecting, { type: 'signing', wallet: 'Phantom' })
    expect(signing.attempt).toEqual({ stage: 'signing', wallet: 'Phantom' })
    expect(reduce(signing, { type: 'signed-in', user: ann })).toMatchObject({
      dialogOpen: false,
      attempt: { stage: 'idle' },
    })
  })
  test('shows a failure until it is closed or tried again', () => {
    const error = new Error('no')
    const failed = reduce(open, { type: 'attempt-failed', wallet: 'Phantom', error })
    expect(failed).toMatchObject({ dialogOpen: true, attempt: { stage: 'failed', wallet: 'Phantom', error } })
    expect(reduce(failed, { type: 'dialog-closed' }).attempt).toEqual({ stage: 'idle' })
    expect(reduce(failed, { type: 'connecting', wallet: 'Phantom' }).attempt.stage).toBe('connecting')
  })
  test('closes when the visitor turns out to be signed in', () => {
    expect(reduce(open, { type: 'user-known', user: ann }).dialogOpen).toBe(false)
  })
})
