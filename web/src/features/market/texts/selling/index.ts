import { dictionaryPart } from '@/i18n'

/** The texts of the dialogs in which something is put up for sale; they come with the first of these. */
export const sellingTexts = dictionaryPart({
  en: async () => (await import('./en')).selling,
  zh: async () => (await import('./zh')).selling,
})
