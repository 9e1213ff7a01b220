/** "11:03:22": milliseconds since 1970 as the time of day in the visitor's time zone, the same in all languages. */
export function clockTime(time: number): string {
  return new Date(time).toTimeString().slice(0, 8)
}

/** Whether a time, in milliseconds since 1970, is on the visitor's present day. */
export function isToday(time: number): boolean {
  return new Date(time).toDateString() === new Date().toDateString()
}
