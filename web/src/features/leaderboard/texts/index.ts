import { dictionaryPart } from '@/i18n'

/** The texts of the leaderboard and of what was opened lately. */
export const leaderboardTexts = dictionaryPart({
  en: async () => (await import('./en')).leaderboard,
  zh: async () => (await import('./zh')).leaderboard,
})
