import { dictionaryPart } from '@/i18n'

/** The texts of pages that are not part of a feature. */
export const routesTexts = dictionaryPart({ en: () => import('./en'), zh: () => import('./zh') })
