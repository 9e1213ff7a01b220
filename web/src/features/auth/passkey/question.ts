import { createStore } from '@/lib/store'
import { WalletError } from '../wallets/wallet'
import { abortPrompt } from './prompt'

/** What the wallet asks before the user verifies with a passkey. */
export type Question =
  /** Create a passkey for a new wallet. `known` says whether this browser has used one before. */
  | { kind: 'create'; known: boolean }
  /** Sign exactly this text. */
  | { kind: 'sign'; text: string; address: string }
  /** Continue with another wallet than last time. */
  | { kind: 'otherWallet'; address: string; last: string }

/** A question on the screen. */
export interface OpenQuestion {
  /** Differs from that of earlier questions. */
  number: number
  question: Question
  /**
   * Does what the question asks for. Settles the question once it has succeeded or can't succeed anymore; otherwise the
   * user can try again or cancel.
   */
  confirm: () => Promise<void>
  cancel: () => void
}

/** The open question, which the session provider shows. */
export const openQuestion = createStore<OpenQuestion | null>(null)

let lastNumber = 0

/** Asks the user, and resolves to what `confirm` returns. Rejects if they cancel, or if the passkey exists already. */
export function ask<T>(question: Question, confirm: () => Promise<T>): Promise<T> {
  if (openQuestion.get()) return Promise.reject(new WalletError('pending'))
  return new Promise((resolve, reject) => {
    let open = true
    function close() {
      open = false
      openQuestion.set(null)
    }
    lastNumber += 1
    openQuestion.set({
      number: lastNumber,
      question,
      async confirm() {
        try {
          const result = await confirm()
          // What was canceled meanwhile stays undone.
          if (!open) return
          close()
          resolve(result)
        } catch (error) {
          if (!(error instanceof WalletError && error.problem === 'passkey-exists')) throw error
          if (!open) return
          close()
          reject(error)
        }
      },
      cancel() {
        if (!open) return
        close()
        abortPrompt()
        reject(new WalletError('cancelled'))
      },
    })
  })
}
