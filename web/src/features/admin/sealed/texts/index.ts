import { dictionaryPart } from '@/i18n'

export const sealedTexts = dictionaryPart({ en: () => import('./en'), zh: () => import('./zh') })
