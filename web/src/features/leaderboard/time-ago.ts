interface AgoTexts {
  now: string
  minutes: (n: number) => string
  hours: (n: number) => string
  days: (n: number) => string
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long ago something was, in the largest unit that fits. A clock that is behind the server's says "now". */
export function timeAgo(time: string, now: number, t: AgoTexts): string {
  const passed = now - Date.parse(time)
  if (passed >= day) return t.days(Math.floor(passed / day))
  if (passed >= hour) return t.hours(Math.floor(passed / hour))
  if (passed >= minute) return t.minutes(Math.floor(passed / minute))
  return t.now
}
