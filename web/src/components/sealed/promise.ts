import { config } from '@/lib/config'
import type * as en from './texts/en'

/** What sealed means, in one sentence. A sandbox runs its own beacon, which its operator does control. */
export function sealedPromise(t: typeof en.sealed, leadSeconds: number): string {
  return (config.sandbox ? t.testPromise : t.promise)(leadSeconds)
}
