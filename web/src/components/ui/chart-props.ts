export interface ChartPoint {
  /** An RFC 3339 time; where values are daily, the beginning of the day as the visitor's clock has it. */
  at: string
  value: number
}

export interface ChartProps {
  /** What it shows, and where the same stands in words. */
  label: string
  /** The oldest first; two or more, unless they are daily. A value holds until the next one. The same array as long as nothing changed. */
  points: readonly ChartPoint[]
  write: (value: number) => string
  /** Each value is of one day, and drawn as a bar from zero. */
  daily?: boolean
}
