import { terms } from '@/lib/config'

/** What a sale leaves the seller, in cents; the fee is rounded half up, as the server does. */
export function afterFee(cents: number): number {
  return cents - Math.round((cents * terms.feePercent) / 100)
}
