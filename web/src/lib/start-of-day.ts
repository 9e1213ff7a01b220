/** The start of a day in the visitor's time zone, or of one some days later, as an ISO timestamp. */
export function startOfDay(day: string, daysLater = 0): string {
  const begin = new Date(`${day}T00:00:00`)
  begin.setDate(begin.getDate() + daysLater)
  return begin.toISOString()
}
