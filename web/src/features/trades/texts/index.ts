import { dictionaryPart } from '@/i18n'

/** The texts of this feature, loaded with its pages. */
export const tradesTexts = dictionaryPart({
  en: async () => (await import('./en')).trades,
  zh: async () => (await import('./zh')).trades,
})
