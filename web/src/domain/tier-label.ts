import type { Dictionary } from '@/i18n'

/** A tier of the published odds in the visitor's language; one the dictionary does not know stays as published. */
export function tierLabel(label: string, t: Dictionary['catalogue']): string {
  const [, tier = label, range] = /^(.+?)(?: \((.+)\))?$/.exec(label) ?? []
  const known = Object.entries({ ...t.rarities, ...t.tiers }).find(([name]) => name === tier)
  if (!known) return label
  const [, text] = known
  return range ? t.tierRange(text, range) : text
}
