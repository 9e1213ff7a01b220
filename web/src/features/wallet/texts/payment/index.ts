import { dictionaryPart } from '@/i18n'

/** The texts of the payment dialog. */
export const paymentTexts = dictionaryPart({
  en: async () => (await import('./en')).payment,
  zh: async () => (await import('./zh')).payment,
})
