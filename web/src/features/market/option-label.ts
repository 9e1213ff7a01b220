import type { Facets } from '@/contract/types'
import { number } from '@/lib/format'

type Facet = Facets['series'][number]

/** An option's name with the number of matches in brackets, once known. */
export function optionLabel(name: string, counts: readonly Facet[] | undefined, value: string): string {
  return counts ? `${name} (${number(counts.find((facet) => facet.value === value)?.count ?? 0)})` : name
}
