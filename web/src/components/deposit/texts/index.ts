import { dictionaryPart } from '@/i18n'

/** What is said of a deposit wherever one stands. */
export const depositsTexts = dictionaryPart({
  en: async () => (await import('./en')).deposits,
  zh: async () => (await import('./zh')).deposits,
})
