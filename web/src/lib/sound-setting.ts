import { localStore } from './storage'
import { createStore, useStore } from '@/lib/store'

const key = 'sound'

/** Whether sound is on. Separate from the sounds themselves, which only an opening loads. */
export const sound = createStore(localStore.getItem(key) !== 'off', true)

/** Turns sound on or off and stores the choice. */
export function setSound(on: boolean): void {
  sound.set(on)
  localStore.setItem(key, on ? 'on' : 'off')
}

export function useSound(): boolean {
  return useStore(sound)
}
