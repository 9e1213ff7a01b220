import { type Dictionary, dictionaryPart, useT } from '@/i18n'
import type * as en from './en'

export const openingTexts = dictionaryPart({ en: () => import('./en'), zh: () => import('./zh') })

export type OpeningDictionary = Dictionary & { opening: typeof en.opening }

/** Shared texts and opening texts. */
export function useOpeningT(): OpeningDictionary {
  return { ...useT(), opening: openingTexts.useT().opening }
}
