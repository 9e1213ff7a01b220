import type { AdminAct } from '@/contract/types'
import { isObject } from './written'

/** A field of what an act changed, as the server has it; without a name it is all of it. */
export interface Difference {
  field: string | undefined
  before: unknown
  after: unknown
}

/** What an act changed, field by field. */
export function differencesOf({ before, after }: Pick<AdminAct, 'before' | 'after'>): Difference[] {
  const was = isObject(before) ? before : {}
  const became = isObject(after) ? after : {}
  if (!isObject(before) && !isObject(after)) {
    return (before ?? after ?? null) === null ? [] : [{ field: undefined, before, after }]
  }
  const fields = new Set([...Object.keys(was), ...Object.keys(became)])
  // What is there in cents as well is said once.
  const said = [...fields].filter((field) => !fields.has(`${field}Cents`))
  return said.map((field) => ({ field, before: was[field], after: became[field] }))
}
