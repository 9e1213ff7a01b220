import { dictionaryPart } from '@/i18n'

export const inventoryTexts = dictionaryPart({ en: () => import('./en'), zh: () => import('./zh') })
