import { dictionaryPart } from '.'

/** The texts of the marketplace and the vault. */
export const marketTexts = dictionaryPart({
  en: async () => (await import('./en/market')).market,
  zh: async () => (await import('./zh/market')).market,
})
