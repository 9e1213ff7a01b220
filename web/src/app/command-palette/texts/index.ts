import { dictionaryPart } from '@/i18n'

export const jumpTexts = dictionaryPart({
  en: async () => (await import('./en')).jump,
  zh: async () => (await import('./zh')).jump,
})
