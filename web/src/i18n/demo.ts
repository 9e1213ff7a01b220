import { dictionaryPart } from '.'

/** The texts of the demo opening. */
export const demoTexts = dictionaryPart({
  en: async () => (await import('./en/demo')).demo,
  zh: async () => (await import('./zh/demo')).demo,
})
