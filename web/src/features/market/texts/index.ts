import { dictionaryPart } from '@/i18n'

/** The texts of the marketplace, and of the filter of lists. */
export const marketTexts = dictionaryPart({
  en: async () => (await import('./en')).market,
  zh: async () => (await import('./zh')).market,
})
