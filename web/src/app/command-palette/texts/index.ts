import { dictionaryPart } from '@/i18n'

/** The texts of the jump to anywhere. */
export const jumpTexts = dictionaryPart({
  en: async () => (await import('./en')).jump,
  zh: async () => (await import('./zh')).jump,
})
