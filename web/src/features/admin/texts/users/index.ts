import { dictionaryPart } from '@/i18n'

/** The texts of the users that admins see. */
export const adminUsersTexts = dictionaryPart({
  en: async () => (await import('./en')).adminUsers,
  zh: async () => (await import('./zh')).adminUsers,
})
