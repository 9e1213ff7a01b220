import { createStore, useStore } from '@/lib/store'
import { localStore } from '@/lib/storage'

const key = 'confirm-purchases'

/** Whether a purchase takes a second press. Chosen in this browser. */
const confirmation = createStore(localStore.getItem(key) !== 'off', true)

export function setPurchaseConfirmation(on: boolean): void {
  localStore.setItem(key, on ? 'on' : 'off')
  confirmation.set(on)
}

export function usePurchaseConfirmation(): boolean {
  return useStore(confirmation)
}
