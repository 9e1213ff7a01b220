import { dictionaryPart } from '@/i18n'

export const commandPaletteTexts = dictionaryPart({
  en: async () => (await import('./en')).commandPalette,
  zh: async () => (await import('./zh')).commandPalette,
})
