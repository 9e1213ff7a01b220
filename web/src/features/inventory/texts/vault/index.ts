import { dictionaryPart } from '@/i18n'

/** The texts of the vault. */
export const vaultTexts = dictionaryPart({
  en: async () => (await import('./en')).vault,
  zh: async () => (await import('./zh')).vault,
})
