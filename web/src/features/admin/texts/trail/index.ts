import { dictionaryPart } from '@/i18n'

/** The texts of the admin log. */
export const trailTexts = dictionaryPart({
  en: async () => (await import('./en')).trail,
  zh: async () => (await import('./zh')).trail,
})
