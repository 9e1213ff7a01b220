import { dictionaryPart } from '@/i18n'

/** The texts of this feature, loaded with its pages. */
export const alertsTexts = dictionaryPart({
  en: async () => (await import('./en')).alerts,
  zh: async () => (await import('./zh')).alerts,
})
