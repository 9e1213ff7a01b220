/** Texts for money, addresses and times. Money comes in integer cents and leaves as text. */

import type { Language } from './language'

function grouped(value: number, digits: number): string {
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

/** 123456 → "$1,234.56" */
export function dollars(cents: number): string {
  return `${cents < 0 ? '−' : ''}$${grouped(Math.abs(cents) / 100, 2)}`
}

/** 123456 → "1,234.56" (or "1,234" with no digits, rounded down: a balance never looks larger than it is) */
export function points(cents: number, digits: 0 | 2 = 2): string {
  const value = digits === 0 ? Math.floor(cents / 100) : cents / 100
  return grouped(value, digits)
}

/** What a price tag shows: whole points, rounded down. */
export function priceTag(priceCents: number): number {
  return Math.floor(priceCents / 100)
}

/** 0.298 → "29.8%"; as many decimals as it takes, at most two. */
export function percent(fraction: number, digits = 2): string {
  return `${(fraction * 100).toLocaleString('en-US', { maximumFractionDigits: digits })}%`
}

/** "7Yk3…": the first `head` and last `tail` characters of an address. */
export function shortAddress(address: string, head: number, tail: number): string {
  return address.length <= head + tail ? address : `${address.slice(0, head)}...${address.slice(-tail)}`
}

const locales: Record<Language, string> = { en: 'en-US', zh: 'zh-CN' }

/** An RFC 3339 time as date and time in the visitor's time zone. */
export function dateTime(time: string, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))
}
