import { terms } from '@/lib/config'

/** As many at once as the server takes in one call of quotes or quick sells. */
export function inLots<T>(all: readonly T[]): T[][] {
  const lots: T[][] = []
  for (let at = 0; at < all.length; at += terms.mostSoldBack) lots.push(all.slice(at, at + terms.mostSoldBack))
  return lots
}
