import type { Facets } from '@/contract/types'
import { number } from '@/lib/format'

type Facet = Facets['series'][number]

/** What a choice would leave, in brackets, once it is known. */
export function counted(name: string, counts: readonly Facet[] | undefined, value: string): string {
  return counts ? `${name} (${number(counts.find((one) => one.value === value)?.count ?? 0)})` : name
}
