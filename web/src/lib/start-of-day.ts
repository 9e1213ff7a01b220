/** When a day begins where the visitor is, or one some days later, as the server is told it. */
export function startOfDay(day: string, daysLater = 0): string {
  const begin = new Date(`${day}T00:00:00`)
  begin.setDate(begin.getDate() + daysLater)
  return begin.toISOString()
}
