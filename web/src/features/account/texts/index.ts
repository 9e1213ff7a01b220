import { dictionaryPart } from '@/i18n'

/** The texts of the account page and of the banners about the account. */
export const accountTexts = dictionaryPart({
  en: async () => (await import('./en')).account,
  zh: async () => (await import('./zh')).account,
})
