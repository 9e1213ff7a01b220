import type { AdminAct } from '@/contract/types'
import { isObject } from './format-value'

/** A changed field as the server sends it. Without a field name, the whole value changed. */
export interface Difference {
  field: string | undefined
  before: unknown
  after: unknown
}

export function differencesOf({ before, after }: Pick<AdminAct, 'before' | 'after'>): Difference[] {
  const oldFields = isObject(before) ? before : {}
  const newFields = isObject(after) ? after : {}
  if (!isObject(before) && !isObject(after)) {
    return (before ?? after ?? null) === null ? [] : [{ field: undefined, before, after }]
  }
  const fields = new Set([...Object.keys(oldFields), ...Object.keys(newFields)])
  // A field like `price` next to `priceCents` would repeat it.
  const shown = [...fields].filter((field) => !fields.has(`${field}Cents`))
  return shown.map((field) => ({ field, before: oldFields[field], after: newFields[field] }))
}
