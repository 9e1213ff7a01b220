import { dictionaryPart } from '@/i18n'

/** Texts of deposits, for users and admins. */
export const depositsTexts = dictionaryPart({
  en: async () => (await import('./en')).deposits,
  zh: async () => (await import('./zh')).deposits,
})
