import { dictionaryPart } from '@/i18n'

/** The texts of the audit trail. */
export const trailTexts = dictionaryPart({
  en: async () => (await import('./en')).trail,
  zh: async () => (await import('./zh')).trail,
})
