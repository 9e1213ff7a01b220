import { dictionaryPart } from '.'

/** The texts of the leaderboard and of what was opened lately. */
export const boardTexts = dictionaryPart({
  en: async () => (await import('./en/board')).board,
  zh: async () => (await import('./zh/board')).board,
})
