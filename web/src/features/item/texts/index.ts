import { dictionaryPart } from '@/i18n'

export const itemTexts = dictionaryPart({
  en: async () => (await import('./en')).item,
  zh: async () => (await import('./zh')).item,
})
