import { dictionaryPart } from '@/i18n'

/** The texts of the cards page, and of the way into the vault. */
export const cardsTexts = dictionaryPart({
  en: async () => (await import('./en')).cards,
  zh: async () => (await import('./zh')).cards,
})
