import { type Dictionary, dictionaryPart, useT } from '@/i18n'
import type * as en from './en'

export const openingTexts = dictionaryPart({ en: () => import('./en'), zh: () => import('./zh') })

export type OpeningDictionary = Dictionary & Pick<typeof en, 'opening' | 'quantity' | 'sealed'>

/** Shared texts and opening texts. */
export function useOpeningT(): OpeningDictionary {
  const { opening, quantity, sealed } = openingTexts.useT()
  return { ...useT(), opening, quantity, sealed }
}
