import { isSellable, type Owned } from './sellable'

/** The sellable entries with a value below `cents`. */
export function belowValue(entries: readonly Owned[], cents: number): Owned[] {
  return entries.filter((entry) => isSellable(entry) && entry.baseValueCents < cents)
}

/**
 * The sellable copies of each item, except one to keep. Prefers to keep one that can't be sold, then one in the vault,
 * then the one with the lowest offer.
 */
export function duplicatesExceptOne(entries: readonly Owned[]): Owned[] {
  const keptByItem = new Map<string, Owned>()
  for (const entry of entries) {
    const best = keptByItem.get(entry.id)
    if (!best || keepOrder(entry, best) < 0) keptByItem.set(entry.id, entry)
  }
  return entries.filter((entry) => isSellable(entry) && keptByItem.get(entry.id) !== entry)
}

function keepOrder(a: Owned, b: Owned): number {
  return (
    Number(isSellable(a)) - Number(isSellable(b)) ||
    Number(b.vaulted) - Number(a.vaulted) ||
    a.sellBackCents - b.sellBackCents
  )
}
