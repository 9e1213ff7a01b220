import { dictionaryPart } from '@/i18n'

/** The texts of an item's page and of an entry's. */
export const itemTexts = dictionaryPart({
  en: async () => (await import('./en')).item,
  zh: async () => (await import('./zh')).item,
})
