import { dictionaryPart } from '@/i18n'

/** The texts of the house's rules. */
export const rulesTexts = dictionaryPart({
  en: async () => (await import('./en')).rules,
  zh: async () => (await import('./zh')).rules,
})
