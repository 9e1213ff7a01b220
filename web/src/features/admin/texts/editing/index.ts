import { dictionaryPart } from '@/i18n'

/** The texts of editing items and packs. */
export const editingTexts = dictionaryPart({
  en: async () => (await import('./en')).editing,
  zh: async () => (await import('./zh')).editing,
})
