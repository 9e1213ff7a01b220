import { dictionaryPart } from '@/i18n'

/** The texts of the house's rules. */
export const houserulesTexts = dictionaryPart({
  en: async () => (await import('./en')).houserules,
  zh: async () => (await import('./zh')).houserules,
})
