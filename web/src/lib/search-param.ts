/**
 * A search parameter if it has one of the known values. Otherwise set the parameter to undefined instead of leaving it
 * out, because the router merges the result into the raw parameters.
 */
export function oneOfOrUndefined<Value extends string>(values: readonly Value[], written: unknown): Value | undefined {
  return values.find((value) => value === written)
}
