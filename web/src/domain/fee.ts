import { terms } from '@/lib/config'

/** What a sale leaves the seller, in cents, after a fee of so many per cent; it is rounded half up, as the server does. */
export function afterFee(cents: number, percent = terms.feePercent): number {
  return cents - Math.round((cents * percent) / 100)
}
