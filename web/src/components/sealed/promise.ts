import { config } from '@/lib/config'
import type * as en from './texts/en'

/**
 * What sealed means, in one sentence. A sandbox runs its own beacon, which its operator does control. Only with witnesses
 * is it provable that nobody could know the result at the order; `witnessed` is undefined if that is unknown.
 */
export function sealedPromise(t: typeof en.sealed, leadSeconds: number, witnessed?: boolean): string {
  if (config.sandbox) return t.testPromise(leadSeconds)
  if (witnessed === undefined) return t.promise(leadSeconds)
  return (witnessed ? t.witnessedPromise : t.unwitnessedPromise)(leadSeconds)
}
