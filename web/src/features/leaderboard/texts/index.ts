import { dictionaryPart } from '@/i18n'

/** The texts of the leaderboard and of what was opened lately. */
export const boardTexts = dictionaryPart({
  en: async () => (await import('./en')).board,
  zh: async () => (await import('./zh')).board,
})
