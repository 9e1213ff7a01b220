import { localStore } from './storage'
import { createStore } from './store'

const storageKey = 'trusted-witnesses'

/** The witnesses that the visitor trusts, as lines of text. Only this browser knows them. */
export const trustedWitnesses = createStore(localStore.getItem(storageKey) ?? '', '')

export function saveTrustedWitnesses(text: string): void {
  if (text === '') localStore.removeItem(storageKey)
  else localStore.setItem(storageKey, text)
  trustedWitnesses.set(text)
}
