/* oxlint-disable no-restricted-globals, no-restricted-properties -- the only place that uses Intl and the like */
// Formats numbers, money (in integer cents), addresses and times. All formatting in the app uses this file.

import type { Language } from './language'

const locales: Record<Language, string> = { en: 'en-US', zh: 'zh-CN' }

/** 1234.5 → "1,234.5", with at most `digits` decimals. Both languages have the same number format. */
export function number(value: number, digits = 0): string {
  const text = fixed(value, digits)
  return digits > 0 ? text.replace(/\.?0+$/, '') : text
}

/**
 * 1234.5 → "1,234.50", with a fixed number of decimals. Not Intl.NumberFormat, because its first use blocks the page for
 * 60 ms.
 */
export function fixed(value: number, digits: number): string {
  const [whole = '', decimals] = value.toFixed(digits).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return decimals ? `${grouped}.${decimals}` : grouped
}

/** 0.0214 → "0.021"; scientific notation below 0.001: 0.000031 → "3.1e-5". */
export function smallChance(chance: number): string {
  return chance < 0.001 ? chance.toExponential(1) : fixed(chance, 3)
}

/** 123456 → "$1,234.56" */
export function dollars(cents: number): string {
  return `${cents < 0 ? '−' : ''}$${fixed(Math.abs(cents) / 100, 2)}`
}

/** 123456 → "1,234.56" (or "1,234" with no digits, rounded down, so that a balance never looks larger than it is). */
export function points(cents: number, digits: 0 | 2 = 2): string {
  const value = digits === 0 ? Math.floor(cents / 100) : cents / 100
  return `${value < 0 ? '−' : ''}${fixed(Math.abs(value), digits)}`
}

/** The decimals of an amount in a sentence or on a button: none if it is whole. */
export function shortDigits(cents: number): 0 | 2 {
  return cents % 100 === 0 ? 0 : 2
}

/** 2500 → "25", 1890 → "18.90" */
export function shortPoints(cents: number): string {
  return points(cents, shortDigits(cents))
}

/** 2500 → "$25", 1890 → "$18.90" */
export function shortDollars(cents: number): string {
  return dollars(cents).replace(/\.00$/, '')
}

/** Parts of a price tag: 9999 → 99 points and ".99" in small type; "" without cents. */
export function priceTag(priceCents: number): { points: number; cents: string } {
  const cents = priceCents % 100
  return { points: Math.floor(priceCents / 100), cents: cents === 0 ? '' : `.${String(cents).padStart(2, '0')}` }
}

/** No draw has a chance with more decimals. */
const maxPercentDigits = 18

/**
 * 0.298 → "29.8%", 0.000001 → "0.0001%", 0.99999 → "99.999%". Has at most `digits` decimals, or more where needed so that
 * only 0 is "0%" and only 1 is "100%".
 */
export function percent(fraction: number, digits = 2): string {
  const text = number(fraction * 100, digits)
  const isMisleading = (text === '0' && fraction > 0) || (text === '100' && fraction < 1)
  return isMisleading && digits < maxPercentDigits ? percent(fraction, digits + 1) : `${text}%`
}

/** "7Yk3…": the first `head` and last `tail` characters of an address. */
export function shortAddress(address: string, head: number, tail: number): string {
  return address.length <= head + tail ? address : `${address.slice(0, head)}...${address.slice(-tail)}`
}

/** A label on a time axis: the day, or the time of day. `time` is in milliseconds since 1970. */
export function axisTime(time: number, language: Language, ofDay: boolean): string {
  const style = ofDay
    ? ({ hour: '2-digit', minute: '2-digit' } as const)
    : ({ month: 'short', day: 'numeric' } as const)
  return new Intl.DateTimeFormat(locales[language], { ...style, hourCycle: 'h23' }).format(new Date(time))
}

/** An RFC 3339 time as month and day in the visitor's time zone. */
export function shortDate(time: string, language: Language): string {
  return axisTime(Date.parse(time), language, false)
}

/** "2026-11" → "November 2026": a month of UTC. */
export function monthAndYear(month: string, language: Language): string {
  const style = { year: 'numeric', month: 'long', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(locales[language], style).format(new Date(`${month}-01T00:00:00Z`))
}

/** An RFC 3339 time as date and time in the visitor's time zone. */
export function dateTime(time: string, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))
}

/** An RFC 3339 time as date and time with seconds in the visitor's time zone. */
export function preciseTime(time: string, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(time))
}

/** ["PSA", "CGC"] → "PSA, CGC"; "PSA、CGC" in Chinese. */
export function list(parts: readonly string[], language: Language): string {
  return parts.join(language === 'zh' ? '、' : ', ')
}

/** "DE" → "Germany": an ISO 3166 code as a country's name. */
export function countryName(code: string, language: Language): string {
  return new Intl.DisplayNames(locales[language], { type: 'region' }).of(code) ?? code
}
