import { ApiError } from './error'

/**
 * The lines that a refusal of several is about, which it names as lines[0] or a field of that; one alone is meant
 * without a name. Empty where it names none, and where the server failed.
 */
export function namedLines(error: unknown, ids: readonly string[]): string[] {
  if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return []
  if (ids.length === 1) return [...ids]
  return Object.keys(error.fields).flatMap((field) => {
    const [, line] = /^lines\[(\d+)\]/.exec(field) ?? []
    return ids[Number(line)] ?? []
  })
}
