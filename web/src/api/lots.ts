import { terms } from '@/lib/config'

/** As many at once as the server takes in one call of quick sells, or of another call that takes `most`. */
export function inLots<T>(all: readonly T[], most = terms.mostSoldBack): T[][] {
  const lots: T[][] = []
  for (let at = 0; at < all.length; at += most) lots.push(all.slice(at, at + most))
  return lots
}
