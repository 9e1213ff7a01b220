import { dictionaryPart } from '@/i18n'

export const storeTexts = dictionaryPart({ en: () => import('./en'), zh: () => import('./zh') })
