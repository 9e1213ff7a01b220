/** A language's texts for remaining time. */
export interface TimeWords {
  hours: (hours: string, minutes: string) => string
  minutes: (minutes: string, seconds: string) => string
  lessThanHours: (n: number) => string
  lessThanMinutes: (n: number) => string
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Formats milliseconds as a countdown: hours and minutes, or minutes and seconds below an hour. */
export function clockText(left: number, t: TimeWords): string {
  const two = (n: number) => String(n).padStart(2, '0')
  if (left >= hour) return t.hours(String(Math.floor(left / hour)), two(Math.floor((left % hour) / minute)))
  return t.minutes(String(Math.floor(left / minute)), two(Math.floor((left % minute) / second)))
}

/** Coarse steps, so that screen readers announce few changes. */
const thresholds: readonly [ms: number, text: (t: TimeWords) => string][] = [
  ...[1, 5, 10, 30].map((n): [number, (t: TimeWords) => string] => [n * minute, (t) => t.lessThanMinutes(n)]),
  ...[1, 6, 24].map((n): [number, (t: TimeWords) => string] => [n * hour, (t) => t.lessThanHours(n)]),
]

/** Time left in words that rarely change, for screen readers; empty if it is long. */
export function spokenLeft(left: number, t: TimeWords): string {
  return thresholds.find(([ms]) => left < ms)?.[1](t) ?? ''
}
