import type { items } from '@/i18n/texts/en'

/** Translates a tier of the published odds. Unknown tiers stay as published. */
export function oddsTierLabel(label: string, t: typeof items): string {
  const [, tier = label, range] = /^(.+?)(?: \((.+)\))?$/.exec(label) ?? []
  const translation = Object.entries({ ...t.rarities, ...t.tiers }).find(([name]) => name === tier)
  if (!translation) return label
  const [, text] = translation
  return range ? t.tierRange(text, range) : text
}
