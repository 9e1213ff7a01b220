import { dictionaryPart } from '@/i18n'

export const helpTexts = dictionaryPart({
  en: async () => (await import('./en')).help,
  zh: async () => (await import('./zh')).help,
})
