import { createStore, useStore } from '@/lib/store'
import { whenIdle } from '@/lib/idle'

const settled = createStore(false)

/** Says that the page is drawn. */
export function markPageDrawn(): void {
  whenIdle(() => settled.set(true))
}

/** Whether the page has rendered and been idle since. Code and data that can wait load then. */
export function usePageIdle(): boolean {
  return useStore(settled)
}
