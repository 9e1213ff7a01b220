import { dictionaryPart } from '@/i18n'

/** The texts of the profile dialog. */
export const authTexts = dictionaryPart({
  en: async () => (await import('./en')).profile,
  zh: async () => (await import('./zh')).profile,
})

/** The texts of the passkey wallet's dialogs. */
export const passkeyTexts = dictionaryPart({
  en: async () => (await import('./en')).passkey,
  zh: async () => (await import('./zh')).passkey,
})
