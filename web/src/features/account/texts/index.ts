import { dictionaryPart } from '@/i18n'

/** The texts of the account page: export and deletion. */
export const accountTexts = dictionaryPart({
  en: async () => (await import('./en')).account,
  zh: async () => (await import('./zh')).account,
})
