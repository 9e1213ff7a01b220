import { dictionaryPart } from '.'

/** The texts of the dialogs in which something is put up for sale; they come with the first of these. */
export const sellingTexts = dictionaryPart({
  en: async () => (await import('./en/selling')).selling,
  zh: async () => (await import('./zh/selling')).selling,
})
