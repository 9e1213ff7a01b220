import { dictionaryPart } from '@/i18n'

/** The texts of the card checkout. */
export const checkoutTexts = dictionaryPart({
  en: async () => (await import('./en')).checkout,
  zh: async () => (await import('./zh')).checkout,
})
