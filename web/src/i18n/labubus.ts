import { dictionaryPart } from '.'

/** The texts of the Labubu page. */
export const labubusTexts = dictionaryPart({
  en: async () => (await import('./en/labubus')).labubus,
  zh: async () => (await import('./zh/labubus')).labubus,
})
