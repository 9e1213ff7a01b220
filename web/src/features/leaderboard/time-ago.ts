interface AgoTexts {
  now: string
  minutes: (n: number) => string
  hours: (n: number) => string
  days: (n: number) => string
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The time elapsed, in the largest fitting unit. Times in the future, from a client clock that is behind, count as now. */
export function timeAgo(time: string, now: number, t: AgoTexts): string {
  const elapsed = now - Date.parse(time)
  if (elapsed >= day) return t.days(Math.floor(elapsed / day))
  if (elapsed >= hour) return t.hours(Math.floor(elapsed / hour))
  if (elapsed >= minute) return t.minutes(Math.floor(elapsed / minute))
  return t.now
}
