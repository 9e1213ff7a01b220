import { dictionaryPart } from '@/i18n'

export const sellbackTexts = dictionaryPart({
  en: async () => (await import('./en')).sellBack,
  zh: async () => (await import('./zh')).sellBack,
})
