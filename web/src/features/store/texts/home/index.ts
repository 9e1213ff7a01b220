import { dictionaryPart } from '@/i18n'

/** The texts of the start page. */
export const homeTexts = dictionaryPart({
  en: async () => (await import('./en')).home,
  zh: async () => (await import('./zh')).home,
})
