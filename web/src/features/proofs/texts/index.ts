import { dictionaryPart } from '@/i18n'

/** The texts of the page that explains the draw and shows the books. */
export const fairnessTexts = dictionaryPart({
  en: async () => (await import('./en')).fairness,
  zh: async () => (await import('./zh')).fairness,
})
