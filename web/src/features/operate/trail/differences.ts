import type { AdminAct } from '@/lib/contract/types'
import { dollars } from '@/lib/format'

/** A field of what an act changed; without a name it is all of it. */
export interface Difference {
  field: string | undefined
  before: string | undefined
  after: string | undefined
}

/** What an act changed, field by field, in words. */
export function differencesOf({ before, after }: Pick<AdminAct, 'before' | 'after'>): Difference[] {
  const was = asObject(before)
  const became = asObject(after)
  if (!was && !became) {
    const whole = { field: undefined, before: written('', before), after: written('', after) }
    return whole.before === undefined && whole.after === undefined ? [] : [whole]
  }
  const fields = new Set([...Object.keys(was ?? {}), ...Object.keys(became ?? {})])
  // What is there in cents as well is said once.
  const said = [...fields].filter((field) => !fields.has(`${field}Cents`))
  return said.map((field) => ({
    field,
    before: written(field, was?.[field]),
    after: written(field, became?.[field]),
  }))
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

function written(field: string, value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (typeof value === 'number' && field.endsWith('Cents')) return dollars(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
