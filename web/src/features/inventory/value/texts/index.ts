import { dictionaryPart } from '@/i18n'

export const valueTexts = dictionaryPart({ en: () => import('./en'), zh: () => import('./zh') })
