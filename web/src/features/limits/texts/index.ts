import { dictionaryPart } from '@/i18n'

/** The texts of limits, figures and stopping. */
export const limitsTexts = dictionaryPart({
  en: async () => (await import('./en')).limits,
  zh: async () => (await import('./zh')).limits,
})
