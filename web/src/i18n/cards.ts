import { dictionaryPart } from '.'

/** The texts of the cards page. */
export const cardsTexts = dictionaryPart({
  en: async () => (await import('./en/cards')).cards,
  zh: async () => (await import('./zh/cards')).cards,
})
