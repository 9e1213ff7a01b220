/**
 * What a field of an address says, if it is one of the known values. Where it is not, the field must still be
 * named, as undefined: the router lays what a page understands over what is written.
 */
export function oneOfOrUndefined<Value extends string>(values: readonly Value[], written: unknown): Value | undefined {
  return values.find((value) => value === written)
}
