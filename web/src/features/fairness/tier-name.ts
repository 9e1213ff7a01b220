import type { Dictionary } from '@/i18n'

/** Tiers by rarity have names in the visitor's language; bands of value are numbers. */
export function tierName(label: string, { rarities }: Dictionary['catalogue']): string {
  return (rarities as Record<string, string>)[label] ?? label
}
