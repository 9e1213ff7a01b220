import { dictionaryPart } from '@/i18n'

/** The texts of a crashed dialog, loaded when one crashes. */
export const crashTexts = dictionaryPart({
  en: async () => (await import('./en')).crash,
  zh: async () => (await import('./zh')).crash,
})
