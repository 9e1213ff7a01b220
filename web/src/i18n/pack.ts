import { dictionaryPart } from '.'

/** The texts of a pack's page. */
export const packTexts = dictionaryPart({
  en: async () => (await import('./en/pack')).pack,
  zh: async () => (await import('./zh/pack')).pack,
})
