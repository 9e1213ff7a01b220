import { localStore } from './storage'
import { createStore, useStore } from '@/lib/store'

const key = 'sound'

/** Whether anything may be heard. Apart from the sounds themselves, which only an opening needs. */
export const sound = createStore(localStore.getItem(key) !== 'off', true)

/** Turns sound on or off and remembers it. */
export function setSound(on: boolean): void {
  sound.set(on)
  localStore.setItem(key, on ? 'on' : 'off')
}

export function useSound(): boolean {
  return useStore(sound)
}
