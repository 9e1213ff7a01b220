import { dictionaryPart } from '@/i18n'

/** The texts of alerts, watchlist and saved searches. */
export const alertsTexts = dictionaryPart({
  en: async () => (await import('./en')).alerts,
  zh: async () => (await import('./zh')).alerts,
})
