import { dictionaryPart } from '@/i18n'

/** The texts of public profiles and their settings. */
export const profilesTexts = dictionaryPart({ en: () => import('./en'), zh: () => import('./zh') })
