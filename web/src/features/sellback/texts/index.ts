import { dictionaryPart } from '@/i18n'

/** The texts of the quick sell; they come with the first of it. */
export const sellbackTexts = dictionaryPart({
  en: async () => (await import('./en')).sellBack,
  zh: async () => (await import('./zh')).sellBack,
})
