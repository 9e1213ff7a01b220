import { dictionaryPart } from '.'

/** The texts of the balance and its movements. */
export const ledgerTexts = dictionaryPart({
  en: async () => (await import('./en/ledger')).ledger,
  zh: async () => (await import('./zh/ledger')).ledger,
})
