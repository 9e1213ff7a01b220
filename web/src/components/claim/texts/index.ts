import { dictionaryPart } from '@/i18n'

/** What is said of a claim wherever one stands. */
export const claimTexts = dictionaryPart({
  en: async () => (await import('./en')).claim,
  zh: async () => (await import('./zh')).claim,
})
