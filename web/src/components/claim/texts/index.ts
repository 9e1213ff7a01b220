import { dictionaryPart } from '@/i18n'

/** Texts of claims, for users and admins. */
export const claimTexts = dictionaryPart({
  en: async () => (await import('./en')).claim,
  zh: async () => (await import('./zh')).claim,
})
