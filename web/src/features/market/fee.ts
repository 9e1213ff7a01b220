/** The house's part of a sale, in percent (specification, section 9). */
const feePercent = 5

/** What a sale leaves the seller, in cents. */
export function afterFee(cents: number): number {
  return cents - Math.floor((cents * feePercent) / 100)
}
