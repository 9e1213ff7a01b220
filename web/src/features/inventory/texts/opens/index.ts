import { dictionaryPart } from '@/i18n'

/** The texts of the page that lists what one has opened. */
export const opensTexts = dictionaryPart({
  en: async () => (await import('./en')).opens,
  zh: async () => (await import('./zh')).opens,
})
