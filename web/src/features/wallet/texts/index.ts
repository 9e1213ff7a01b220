import { dictionaryPart } from '@/i18n'

/** The texts of the balance and its movements. */
export const ledgerTexts = dictionaryPart({
  en: async () => (await import('./en')).ledger,
  zh: async () => (await import('./zh')).ledger,
})
