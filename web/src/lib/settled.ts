import { createStore, useStore } from '@/lib/store'
import { whenIdle } from '@/lib/turn'

const settled = createStore(false)

/** Says that the page is drawn. */
export function settle(): void {
  whenIdle(() => settled.set(true))
}

/** Whether the page is drawn and has had an idle moment since: what nobody waits for begins then. */
export function useSettled(): boolean {
  return useStore(settled)
}
