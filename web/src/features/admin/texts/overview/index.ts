import { dictionaryPart } from '@/i18n'

/** The texts of the files and of the top pulls. */
export const overviewTexts = dictionaryPart({
  en: async () => (await import('./en')).overview,
  zh: async () => (await import('./zh')).overview,
})
