import { dictionaryPart } from '.'

/** The texts of the roadmap. */
export const roadmapTexts = dictionaryPart({
  en: async () => (await import('./en/roadmap')).roadmap,
  zh: async () => (await import('./zh/roadmap')).roadmap,
})
