import { createStore, useStore } from '@/lib/store'
import { whenIdle } from '@/lib/idle'

const settled = createStore(false)

/** Says that the page is drawn. */
export function markPageDrawn(): void {
  whenIdle(() => settled.set(true))
}

/** Whether the page is drawn and has had an idle moment since: what nobody waits for begins then. */
export function usePageIdle(): boolean {
  return useStore(settled)
}
