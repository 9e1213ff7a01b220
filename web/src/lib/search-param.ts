/**
 * A search parameter if it has one of the known values. Otherwise set the parameter to undefined instead of leaving it
 * out, because the router merges the result into the raw parameters.
 */
export function oneOfOrUndefined<Value extends string>(values: readonly Value[], written: unknown): Value | undefined {
  return values.find((value) => value === written)
}

const longestId = 64

/** An id, or undefined if it can't be one. The router parses digits as a number. */
export function idOrUndefined(written: unknown): string | undefined {
  const isId = typeof written === 'number' || (typeof written === 'string' && written.length <= longestId)
  return isId ? `${written}` : undefined
}
