import { dictionaryPart } from '@/i18n'

/** The texts of buying and selling between collectors, on the marketplace and in the collection. */
export const tradeTexts = dictionaryPart({
  en: async () => (await import('./en')).trade,
  zh: async () => (await import('./zh')).trade,
})
