import { dictionaryPart } from '@/i18n'

/** The texts of the cart. */
export const cartTexts = dictionaryPart({
  en: async () => (await import('./en')).cart,
  zh: async () => (await import('./zh')).cart,
})
