export interface ChartPoint {
  /** RFC 3339; for daily values, the start of the day in the user's time zone. */
  at: string
  value: number
}

export interface ChartProps {
  /** Accessible label: what the chart shows and where the same data is as text. */
  label: string
  /** Oldest first, at least two unless daily. Drawn as steps. Must be referentially stable. */
  points: readonly ChartPoint[]
  format: (value: number) => string
  /** Draws one bar per day, from zero. */
  daily?: boolean
  /** Each point is a day, with the value at its end. Always true for bars. */
  byDay?: boolean
  /** A second, dashed line: its name and its value at each point. Must be referentially stable. */
  compared?: { name: string; values: readonly number[] }
}
