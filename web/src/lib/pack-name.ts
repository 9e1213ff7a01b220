import type { Language } from './language'

/** A pack's names in the API's fields: of the pack, or of something that came from it. */
export type PackNames =
  | { name: string; nameZh?: string | undefined }
  | { packName: string; packNameZh?: string | undefined }

/** The pack's name in a language; the English one if it has no Chinese name. */
export function packNameIn(language: Language, pack: PackNames): string {
  const [en, zh] = 'name' in pack ? [pack.name, pack.nameZh] : [pack.packName, pack.packNameZh]
  return (language === 'zh' && zh) || en
}
