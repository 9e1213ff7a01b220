import { dictionaryPart } from '@/i18n'

/** The texts of the roadmap. */
export const roadmapTexts = dictionaryPart({
  en: async () => (await import('./en')).roadmap,
  zh: async () => (await import('./zh')).roadmap,
})
