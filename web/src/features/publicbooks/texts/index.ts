import { dictionaryPart } from '@/i18n'

/** The texts of the public books. */
export const publicbooksTexts = dictionaryPart({
  en: async () => (await import('./en')).books,
  zh: async () => (await import('./zh')).books,
})
