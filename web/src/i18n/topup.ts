import { dictionaryPart } from '.'

/** The texts of the top-up page. */
export const topupTexts = dictionaryPart({
  en: async () => (await import('./en/topup')).topup,
  zh: async () => (await import('./zh/topup')).topup,
})
