import { dictionaryPart } from '@/i18n'

/** The texts of what was traded. */
export const tradesTexts = dictionaryPart({
  en: async () => (await import('./en')).trades,
  zh: async () => (await import('./zh')).trades,
})
