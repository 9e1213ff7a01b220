import type { items } from '@/i18n/texts/en'

/** A tier of the published odds in the visitor's language; one the dictionary does not know stays as published. */
export function tierLabel(label: string, t: typeof items): string {
  const [, tier = label, range] = /^(.+?)(?: \((.+)\))?$/.exec(label) ?? []
  const known = Object.entries({ ...t.rarities, ...t.tiers }).find(([name]) => name === tier)
  if (!known) return label
  const [, text] = known
  return range ? t.tierRange(text, range) : text
}
