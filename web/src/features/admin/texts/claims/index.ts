import { dictionaryPart } from '@/i18n'

/** The texts of the claims that admins see. */
export const adminClaimsTexts = dictionaryPart({
  en: async () => (await import('./en')).adminClaims,
  zh: async () => (await import('./zh')).adminClaims,
})
