import { localStore } from '@/lib/storage'

/** Local storage key of the addresses whose owners know that they can export their key. */
const storageKey = 'passkey-export-suggested'

const load = () => (localStore.getItem(storageKey) ?? '').split(' ')

/** Whether the wallet's owner has exported its key here, or doesn't want to. */
export const isExportHintDismissed = (address: string) => load().includes(address)

export function dismissExportHint(address: string): void {
  localStore.setItem(storageKey, [...new Set([...load(), address])].join(' ').trim())
}
