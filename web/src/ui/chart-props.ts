export interface ChartPoint {
  /** An RFC 3339 time. */
  at: string
  value: number
}

export interface ChartProps {
  /** What it shows, and where the same stands in words. */
  label: string
  /** The oldest first, two or more. A value holds until the next one. The same array as long as nothing changed. */
  points: readonly ChartPoint[]
  write: (value: number) => string
}
