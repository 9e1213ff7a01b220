import { percentOf } from '@/components/fee'
import { oddsTierLabel } from '@/components/odds-tier-label'
import type { items } from '@/i18n/texts/en'
import { dateTime, dollars, number, percent } from '@/lib/format'
import type { Language } from '@/lib/language'
import { subjectParts } from '../subject'
import type { log as logTexts } from '../texts/en'

/** Language and texts to format values with. */
export interface ValueTexts {
  language: Language
  t: Pick<typeof logTexts, 'fields' | 'values'>
  catalogue: typeof items
  /** Texts by field and server value. */
  byField: Readonly<Record<string, Readonly<Record<string, string>>>>
}

type Fields = Readonly<Record<string, unknown>>

/** The text for a server value; the value itself if there is none. */
export function translate(texts: Readonly<Record<string, string>> | undefined, name: string): string {
  return texts && Object.hasOwn(texts, name) ? (texts[name] ?? name) : name
}

/** Formats a field's value for display; undefined for an empty value. */
export function formatValue(field: string, value: unknown, texts: ValueTexts): string | undefined {
  const own = formatByField[field]?.(value, texts)
  if (own !== undefined) return own
  if (typeof value === 'boolean') return value ? texts.t.values.yes : texts.t.values.no
  if (typeof value === 'number') return field.endsWith('Cents') ? dollars(value) : number(value, 6)
  if (typeof value === 'string' && value !== '')
    return field.endsWith('At') ? dateTime(value, texts.language) : translate(texts.byField[field], value)
  if (Array.isArray(value)) return joinTexts(value.map((one) => formatValue(field, one, texts)))
  if (!isObject(value)) return undefined
  return joinTexts(Object.entries(value).map((entry) => formatEntry(entry, texts)))
}

/** Fields with a format of their own; undefined falls back to the general one. */
const formatByField: Readonly<Record<string, (value: unknown, texts: ValueTexts) => string | undefined>> = {
  acceptedLossCents: (value, { t }) => (value === -1 ? t.values.withoutBound : undefined),
  ...Object.fromEntries(
    ['listing', 'bid', 'counter'].map((fee) => [
      fee,
      (value: unknown) => (typeof value === 'number' ? `${percentOf(value)}%` : undefined),
    ]),
  ),
  supply: (value, { t }) => (value === -1 ? t.values.unlimited : undefined),
  series: (value, { t }) => (Array.isArray(value) && value.length === 0 ? t.values.everySeries : undefined),
  subject: (value, { byField }) =>
    typeof value === 'string'
      ? subjectParts(value, byField['subject'] ?? {})
          .join(' ')
          .trim()
      : undefined,
  shares: (value, { catalogue }) =>
    Array.isArray(value)
      ? joinTexts(
          value
            .filter(isShare)
            .map(({ label, share }) => `${oddsTierLabel(label, catalogue)} ${percent(Number(share), 4)}`),
        )
      : undefined,
}

/** A tier's share of a pack as a decimal, such as "0.9985". */
function isShare(value: unknown): value is { label: string; share: string } {
  return isObject(value) && typeof value['label'] === 'string' && typeof value['share'] === 'string'
}

function formatEntry([field, value]: [string, unknown], texts: ValueTexts): string | undefined {
  const text = formatValue(field, value, texts)
  return text && `${translate(texts.t.fields, field)} ${text}`
}

function joinTexts(parts: readonly (string | undefined)[]): string | undefined {
  return parts.filter((part) => part !== undefined).join(' · ') || undefined
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
