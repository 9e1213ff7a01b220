import { dictionaryPart } from '@/i18n'

/** The texts of this feature, loaded with its pages. */
export const giftsTexts = dictionaryPart({ en: () => import('./en'), zh: () => import('./zh') })
