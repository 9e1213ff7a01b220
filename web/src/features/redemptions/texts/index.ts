import { dictionaryPart } from '@/i18n'

/** The texts of claiming and of one's claims. */
export const claimsTexts = dictionaryPart({
  en: async () => (await import('./en')).claims,
  zh: async () => (await import('./zh')).claims,
})
