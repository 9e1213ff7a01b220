import { useLanguage, useT } from '.'
import { packNameIn, type PackNames } from '@/lib/pack-name'

/** Returns the function that names a pack in the visitor's language. */
export function usePackName(): (pack: PackNames) => string {
  const language = useLanguage()
  return (pack) => packNameIn(language, pack)
}

/** Returns the function that names a series in the visitor's language; series of an operator's own keep their name. */
export function useSeriesName(): (series: string) => string {
  const names: Readonly<Record<string, string>> = useT().catalogue.series
  return (series) => (Object.hasOwn(names, series) ? (names[series] ?? series) : series)
}
