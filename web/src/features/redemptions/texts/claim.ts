import { dictionaryPart } from '@/i18n'

/** The texts of the way to a claim. */
export const claimFlowTexts = dictionaryPart({
  en: async () => (await import('./en')).claim,
  zh: async () => (await import('./zh')).claim,
})
