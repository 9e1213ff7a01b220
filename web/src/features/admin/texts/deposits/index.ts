import { dictionaryPart } from '@/i18n'

/** The texts of the deposits that admins see. */
export const adminDepositsTexts = dictionaryPart({
  en: async () => (await import('./en')).adminDeposits,
  zh: async () => (await import('./zh')).adminDeposits,
})
