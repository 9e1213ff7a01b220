import { dictionaryPart } from '@/i18n'

/** The texts of what waits for a second admin. */
export const approvalsTexts = dictionaryPart({
  en: async () => (await import('./en')).approvals,
  zh: async () => (await import('./zh')).approvals,
})
