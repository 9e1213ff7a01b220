import { dictionaryPart } from '@/i18n'

/** The texts of a pack's page. */
export const packTexts = dictionaryPart({
  en: async () => (await import('./en')).pack,
  zh: async () => (await import('./zh')).pack,
})
