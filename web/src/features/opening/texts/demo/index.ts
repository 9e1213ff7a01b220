import { dictionaryPart } from '@/i18n'

/** The texts of the demo opening. */
export const demoTexts = dictionaryPart({
  en: async () => (await import('./en')).demo,
  zh: async () => (await import('./zh')).demo,
})
