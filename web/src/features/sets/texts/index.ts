import { dictionaryPart } from '@/i18n'

export const setsTexts = dictionaryPart({ en: () => import('./en'), zh: () => import('./zh') })
