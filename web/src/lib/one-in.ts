import { number } from './format'

/** The n of "1 in n" for a chance above 0: 0.000233 → "4,292"; below 10 with one decimal: 0.3 → "3.3". */
export function oneIn(chance: number): string {
  const n = 1 / chance
  return number(n, n < 9.95 ? 1 : 0)
}
