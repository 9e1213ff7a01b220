import { dictionaryPart } from '@/i18n'

/** The texts around a proof: they come with whatever checks one. */
export const verifyTexts = dictionaryPart({
  en: async () => (await import('./en')).verify,
  zh: async () => (await import('./zh')).verify,
})
