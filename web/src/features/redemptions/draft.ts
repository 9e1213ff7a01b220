export const steps = ['items', 'address', 'confirm'] as const
export type Step = (typeof steps)[number]

export interface Draft {
  /** Entries' ids. */
  items?: string[] | undefined
  step?: Step | undefined
}

/** What the address of the flow says; anything unknown is dropped. */
export function claimSearch(raw: Readonly<Record<string, unknown>>): Draft {
  const { items, step } = raw
  const ids = Array.isArray(items) ? items.filter((id) => typeof id === 'string') : undefined
  return { items: ids?.length ? ids : undefined, step: steps.find((one) => one === step) }
}
