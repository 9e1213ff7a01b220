import { dictionaryPart } from '@/i18n'

/** The texts of taking the catalogue in and giving it out. */
export const importTexts = dictionaryPart({
  en: async () => (await import('./en')).importing,
  zh: async () => (await import('./zh')).importing,
})
