import { dictionaryPart } from '.'

/** The texts of the jump to anywhere. */
export const jumpTexts = dictionaryPart({
  en: async () => (await import('./en/jump')).jump,
  zh: async () => (await import('./zh/jump')).jump,
})
