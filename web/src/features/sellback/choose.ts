import { isSellable, type Owned } from './sellable'

/** The entries of a list that can be sold and are worth less than so many cents. */
export function below(entries: readonly Owned[], cents: number): Owned[] {
  return entries.filter((entry) => isSellable(entry) && entry.baseValueCents < cents)
}

/**
 * Of every item the entries that can be sold, but one is kept: one that is not to be sold here before one in the
 * vault, that before others, and of those the one that would bring least.
 */
export function duplicatesButOne(entries: readonly Owned[]): Owned[] {
  const kept = new Map<string, Owned>()
  for (const entry of entries) {
    const best = kept.get(entry.id)
    if (!best || keepOrder(entry, best) < 0) kept.set(entry.id, entry)
  }
  return entries.filter((entry) => isSellable(entry) && kept.get(entry.id) !== entry)
}

function keepOrder(a: Owned, b: Owned): number {
  return (
    Number(isSellable(a)) - Number(isSellable(b)) ||
    Number(b.vaulted) - Number(a.vaulted) ||
    a.sellBackCents - b.sellBackCents
  )
}
