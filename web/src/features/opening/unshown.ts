import type { Opening } from '@/lib/contract/types'
import { sessionStore } from '@/lib/storage'

/** The open that this tab got an answer for and has not shown yet. It outlives a reload in the middle of the animation. */
interface Unshown {
  address: string
  openId: string
  items: number
}

const key = 'opening:unshown'

export function keepUnshown(address: string, { openId, items }: Pick<Opening, 'openId' | 'items'>): void {
  const unshown: Unshown = { address, openId, items: items.length }
  sessionStore.setItem(key, JSON.stringify(unshown))
}

/** Forgets it once it is shown, unless another one has taken its place. */
export function forgetUnshown({ openId }: Pick<Opening, 'openId'>): void {
  if (load()?.openId === openId) sessionStore.removeItem(key)
}

/** Takes the number of items of the user's open that was never shown. */
export function takeUnshown(address: string): number | undefined {
  const unshown = load()
  if (unshown?.address !== address) return undefined
  sessionStore.removeItem(key)
  return unshown.items
}

function load(): Unshown | undefined {
  try {
    const kept = JSON.parse(sessionStore.getItem(key) ?? 'null') as Partial<Unshown> | null
    const { address, openId, items } = kept ?? {}
    return address !== undefined && openId !== undefined && items !== undefined ? { address, openId, items } : undefined
  } catch {
    return undefined
  }
}
