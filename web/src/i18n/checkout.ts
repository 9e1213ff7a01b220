import { dictionaryPart } from '.'

/** The texts of the card checkout. */
export const checkoutTexts = dictionaryPart({
  en: async () => (await import('./en/checkout')).checkout,
  zh: async () => (await import('./zh/checkout')).checkout,
})
