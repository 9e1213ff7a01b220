import { dictionaryPart } from '@/i18n'

/** The texts of bids: of the book, of bidding, of answering bids, and of what the visitor has open. */
export const bidTexts = dictionaryPart({
  en: async () => (await import('./en')).bids,
  zh: async () => (await import('./zh')).bids,
})
