export const steps = ['items', 'address', 'confirm'] as const
export type Step = (typeof steps)[number]

export interface ClaimSearch {
  /** Entry ids. */
  items?: string[] | undefined
  step?: Step | undefined
}

/** Parses the page's search parameters and drops unknown values. */
export function claimSearch(raw: Readonly<Record<string, unknown>>): ClaimSearch {
  const { items, step } = raw
  const ids = Array.isArray(items) ? items.filter((id) => typeof id === 'string') : undefined
  return { items: ids?.length ? ids : undefined, step: steps.find((known) => known === step) }
}
