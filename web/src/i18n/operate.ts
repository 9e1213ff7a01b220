import { dictionaryPart } from '.'

/** The texts of the admin page. */
export const operateTexts = dictionaryPart({
  en: async () => (await import('./en/operate')).operate,
  zh: async () => (await import('./zh/operate')).operate,
})
