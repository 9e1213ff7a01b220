import { dictionaryPart } from '.'

/** The texts of the page that explains the draw and shows the books. */
export const fairnessTexts = dictionaryPart({
  en: async () => (await import('./en/fairness')).fairness,
  zh: async () => (await import('./zh/fairness')).fairness,
})
