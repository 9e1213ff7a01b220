import { type Dictionary, dictionaryPart, useT } from '@/i18n'
import type * as en from './en'

/** The texts of this feature, loaded with its pages. */
export const openingTexts = dictionaryPart({ en: () => import('./en'), zh: () => import('./zh') })

export type OpeningDictionary = Dictionary & { opening: typeof en.opening }

/** The texts of every page, and those of opening a pack. */
export function useOpeningT(): OpeningDictionary {
  return { ...useT(), opening: openingTexts.useT().opening }
}
