import { ApiError } from './error'

/**
 * The lines that a refusal is about, named lines[0] or a field of it. A refusal of a single line needs no name. Empty if
 * no line is named or the server failed.
 */
export function namedLines(error: unknown, ids: readonly string[]): string[] {
  if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return []
  if (ids.length === 1) return [...ids]
  return Object.keys(error.fields).flatMap((field) => {
    const [, line] = /^lines\[(\d+)\]/.exec(field) ?? []
    return ids[Number(line)] ?? []
  })
}
