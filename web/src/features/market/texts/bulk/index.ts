import { dictionaryPart } from '@/i18n'

/** The texts of listing, repricing and delisting several at once; they come with the first selection. */
export const bulkTexts = dictionaryPart({
  en: async () => (await import('./en')).bulk,
  zh: async () => (await import('./zh')).bulk,
})
