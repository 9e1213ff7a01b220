import { type Dictionary, dictionaryPart, useT } from '@/i18n'
import type { opening } from './en'

/** The texts of opening a pack: a visitor who only looks goes without them. */
export const openingTexts = dictionaryPart({
  en: async () => (await import('./en')).opening,
  zh: async () => (await import('./zh')).opening,
})

export type OpeningDictionary = Dictionary & { opening: typeof opening }

/** The texts in the visitor's language, with those of opening a pack. */
export function useOpeningT(): OpeningDictionary {
  return { ...useT(), opening: openingTexts.useT() }
}
