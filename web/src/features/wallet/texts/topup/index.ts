import { dictionaryPart } from '@/i18n'

/** The texts of the top-up page. */
export const topupTexts = dictionaryPart({
  en: async () => (await import('./en')).topup,
  zh: async () => (await import('./zh')).topup,
})
