import { dictionaryPart } from '@/i18n'

/** The texts of the dialog for one's name and picture. */
export const profileTexts = dictionaryPart({
  en: async () => (await import('./en')).profile,
  zh: async () => (await import('./zh')).profile,
})
