import { dictionaryPart } from '@/i18n'

/** The texts of this feature, loaded with its pages. */
export const activityTexts = dictionaryPart({
  en: async () => (await import('./en')).activity,
  zh: async () => (await import('./zh')).activity,
})
