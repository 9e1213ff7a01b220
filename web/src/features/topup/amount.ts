import { terms } from '@/lib/config'

/** The typed amount in whole points, or undefined when it is none that may be bought. */
export function parseAmount(text: string): number | undefined {
  if (!/^\d+$/.test(text.trim())) return undefined
  const amount = Number(text)
  return amount >= terms.leastDeposit && amount <= terms.mostDeposit ? amount : undefined
}
