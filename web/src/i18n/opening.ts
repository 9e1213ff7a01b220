import { type Dictionary, dictionaryPart, useT } from '.'
import type { opening } from './en/opening'

/** The texts of opening a pack: a visitor who only looks goes without them. */
export const openingTexts = dictionaryPart({
  en: async () => (await import('./en/opening')).opening,
  zh: async () => (await import('./zh/opening')).opening,
})

export type OpeningDictionary = Dictionary & { opening: typeof opening }

/** The texts in the visitor's language, with those of opening a pack. */
export function useOpeningT(): OpeningDictionary {
  return { ...useT(), opening: openingTexts.useT() }
}
