import { percentOf } from '@/components/fee'
import { tierLabel } from '@/components/tier-label'
import type { items } from '@/i18n/texts/en'
import { dateTime, dollars, number, percent } from '@/lib/format'
import type { Language } from '@/lib/language'
import { subjectParts } from '../subject'
import type { log as trail } from '../texts/en'

/** What values are written with: the reader's language, and the words that it has for them. */
export interface Words {
  language: Language
  t: Pick<typeof trail, 'fields' | 'values'>
  catalogue: typeof items
  /** By the field, and by what the server says there. */
  known: Readonly<Record<string, Readonly<Record<string, string>>>>
}

type Fields = Readonly<Record<string, unknown>>

/** The word for a name of the server's, or the name itself. */
export function wordFor(words: Readonly<Record<string, string>> | undefined, name: string): string {
  return words && Object.hasOwn(words, name) ? (words[name] ?? name) : name
}

/** A value of a field as the reader writes it; undefined where there is none. */
export function written(field: string, value: unknown, words: Words): string | undefined {
  const own = ownWay[field]?.(value, words)
  if (own !== undefined) return own
  if (typeof value === 'boolean') return value ? words.t.values.yes : words.t.values.no
  if (typeof value === 'number') return field.endsWith('Cents') ? dollars(value) : number(value, 6)
  if (typeof value === 'string' && value !== '')
    return field.endsWith('At') ? dateTime(value, words.language) : wordFor(words.known[field], value)
  if (Array.isArray(value)) return joined(value.map((one) => written(field, one, words)))
  if (!isObject(value)) return undefined
  return joined(Object.entries(value).map((entry) => named(entry, words)))
}

/** What some fields say in a way of their own. */
const ownWay: Readonly<Record<string, (value: unknown, words: Words) => string | undefined>> = {
  acceptedLossCents: (value, { t }) => (value === -1 ? t.values.withoutBound : undefined),
  ...Object.fromEntries(
    ['listing', 'bid', 'counter'].map((fee) => [
      fee,
      (value: unknown) => (typeof value === 'number' ? `${percentOf(value)}%` : undefined),
    ]),
  ),
  supply: (value, { t }) => (value === -1 ? t.values.unlimited : undefined),
  series: (value, { t }) => (Array.isArray(value) && value.length === 0 ? t.values.everySeries : undefined),
  subject: (value, { known }) =>
    typeof value === 'string'
      ? subjectParts(value, known['subject'] ?? {})
          .join(' ')
          .trim()
      : undefined,
  shares: (value, { catalogue }) =>
    Array.isArray(value)
      ? joined(
          value
            .filter(isShare)
            .map(({ label, share }) => `${tierLabel(label, catalogue)} ${percent(Number(share), 4)}`),
        )
      : undefined,
}

/** How much of a pack is of a tier, in decimals. */
function isShare(value: unknown): value is { label: string; share: string } {
  return isObject(value) && typeof value['label'] === 'string' && typeof value['share'] === 'string'
}

function named([field, value]: [string, unknown], words: Words): string | undefined {
  const text = written(field, value, words)
  return text && `${wordFor(words.t.fields, field)} ${text}`
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter((text) => text !== undefined).join(' · ') || undefined
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
