import { localStore } from './storage'
import { createStore, useStore } from './store'

const key = 'fast-mode'

/** Whether the user wants to open packs without the intro. Off until switched on. */
const wanted = createStore(localStore.getItem(key) === 'on', false)

/** Whether a pack was opened since the page was loaded. */
const opened = createStore(false, false)

/** Turns fast mode on or off and stores the choice. */
export function setFastMode(on: boolean): void {
  wanted.set(on)
  localStore.setItem(key, on ? 'on' : 'off')
}

export function useFastMode(): boolean {
  return useStore(wanted)
}

/** Called when a pack is opened: from the second one on, fast mode skips the intro. */
export function noteOpened(): void {
  opened.set(true)
}

/** Whether the next open skips the intro, so that its button must name the price. */
export function useSkipsIntro(): boolean {
  const first = !useStore(opened)
  return useFastMode() && !first
}
