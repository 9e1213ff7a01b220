import { dictionaryPart } from '@/i18n'

/** The texts of everything that sells to the house; they come with the first of it. */
export const sellBackTexts = dictionaryPart({
  en: async () => (await import('./en')).sellBack,
  zh: async () => (await import('./zh')).sellBack,
})
