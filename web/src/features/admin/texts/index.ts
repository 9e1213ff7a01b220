import { dictionaryPart } from '@/i18n'

/** The texts of the admin page. */
export const operateTexts = dictionaryPart({
  en: async () => (await import('./en')).operate,
  zh: async () => (await import('./zh')).operate,
})
