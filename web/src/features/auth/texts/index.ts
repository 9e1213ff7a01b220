import { dictionaryPart } from '@/i18n'

/** The texts of the profile dialog. */
export const authTexts = dictionaryPart({
  en: async () => (await import('./en')).profile,
  zh: async () => (await import('./zh')).profile,
})
