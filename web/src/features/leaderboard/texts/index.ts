import { dictionaryPart } from '@/i18n'

/** The texts of this feature, loaded with its pages. */
export const leaderboardTexts = dictionaryPart({
  en: async () => (await import('./en')).leaderboard,
  zh: async () => (await import('./zh')).leaderboard,
})
