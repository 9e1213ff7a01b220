import { dictionaryPart } from '@/i18n'

/** The texts of shared pulls. */
export const pullsTexts = dictionaryPart({ en: () => import('./en'), zh: () => import('./zh') })
