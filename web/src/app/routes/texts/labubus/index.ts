import { dictionaryPart } from '@/i18n'

/** The texts of the Labubu page. */
export const labubusTexts = dictionaryPart({
  en: async () => (await import('./en')).labubus,
  zh: async () => (await import('./zh')).labubus,
})
