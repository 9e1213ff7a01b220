/** The list with one entry at another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const entry = list[from]
  const others = list.filter((_, index) => index !== from)
  return entry === undefined ? others : others.toSpliced(to, 0, entry)
}
