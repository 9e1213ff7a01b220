import { number } from './format'

/** The whole number n of "1 in n" for a chance above 0: 0.000233 → "4,300". */
export function oneIn(chance: number): string {
  return number(Math.max(1, Math.round(1 / chance)))
}
