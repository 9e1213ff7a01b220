import { createStore } from '@/lib/store'
import { WalletError } from '../wallets/wallet'
import { closePrompt } from './prompt'

/** What the wallet asks before the user touches a passkey. */
export type Question =
  /** Create a passkey for a new wallet. `known` says whether this browser has used one before. */
  | { kind: 'create'; known: boolean }
  /** Sign exactly this text. */
  | { kind: 'sign'; text: string; address: string }
  /** Continue with another wallet than last time. */
  | { kind: 'other'; address: string; last: string }

/** A question on the screen. */
export interface OpenQuestion {
  /** Differs from that of earlier questions. */
  number: number
  question: Question
  /** Does what was asked. Settles the question if it succeeds; otherwise the user can try again or cancel. */
  act: () => Promise<void>
  cancel: () => void
}

/** The open question, which the session provider shows. */
export const openQuestion = createStore<OpenQuestion | null>(null)

let asked = 0

/** Asks the user, and resolves to what `act` returns. Rejects if they cancel. */
export function ask<T>(question: Question, act: () => Promise<T>): Promise<T> {
  if (openQuestion.get()) return Promise.reject(new WalletError('pending'))
  return new Promise((resolve, reject) => {
    let open = true
    function close() {
      open = false
      openQuestion.set(null)
    }
    asked += 1
    openQuestion.set({
      number: asked,
      question,
      async act() {
        const result = await act()
        // What was canceled meanwhile stays undone.
        if (!open) return
        close()
        resolve(result)
      },
      cancel() {
        if (!open) return
        close()
        closePrompt()
        reject(new WalletError('cancelled'))
      },
    })
  })
}
