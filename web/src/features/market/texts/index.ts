import { dictionaryPart } from '@/i18n'

/** The texts of this feature, loaded with its pages. */
export const marketTexts = dictionaryPart({ en: () => import('./en'), zh: () => import('./zh') })
