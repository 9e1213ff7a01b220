import { createStore, useStore } from '@/lib/store'
import { whenIdle } from '@/lib/idle'

const settled = createStore(false, false)

/** Says that the page has rendered. */
export function markPageRendered(): void {
  whenIdle(() => settled.set(true))
}

/** Whether the page has rendered and been idle since. Code and data that can wait load then. */
export function usePageIdle(): boolean {
  return useStore(settled)
}
