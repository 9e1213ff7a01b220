import { dictionaryPart } from '@/i18n'

export const houserulesTexts = dictionaryPart({
  en: async () => (await import('./en')).houserules,
  zh: async () => (await import('./zh')).houserules,
})
