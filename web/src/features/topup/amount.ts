export const quickAmounts = [25, 50, 100, 500] as const
export const minAmount = 1
export const maxAmount = 10_000

/** The typed amount in whole points, or undefined when it is none that may be bought. */
export function parseAmount(text: string): number | undefined {
  if (!/^\d+$/.test(text.trim())) return undefined
  const amount = Number(text)
  return amount >= minAmount && amount <= maxAmount ? amount : undefined
}
