/** The numbers that a field accepts. */
export interface NumberKind {
  /** How many decimals a value may have. */
  decimals: number
  /** Whether values are large enough to be written with thousands separators. */
  grouped: boolean
  signed?: boolean
  /** Whether a percent sign may follow. */
  percent?: boolean
}

export const numberKinds = {
  money: { decimals: 2, grouped: true },
  whole: { decimals: 0, grouped: true },
  signedWhole: { decimals: 0, grouped: true, signed: true },
  wholePercent: { decimals: 0, grouped: false, percent: true },
  grade: { decimals: 1, grouped: false },
  /** A fee in percent, down to a basis point. */
  fee: { decimals: 2, grouped: false, percent: true },
  /** A percentage. */
  percent: { decimals: 4, grouped: false, percent: true },
} as const satisfies Record<string, NumberKind>

/**
 * A parsed text: a decimal number such as "-1250.5"; several choices if a separator may mean decimals or thousands; or
 * why it is not a number.
 */
export type Reading = { value: string } | { choices: readonly string[] } | { problem: 'unreadable' | 'decimals' }

const unreadable: Reading = { problem: 'unreadable' }
/** More places than any amount has. */
const maxPlaces = 20

/** Parses a number in any language's notation. Never guesses between several meanings. */
export function readNumber(text: string, kind: NumberKind): Reading {
  const { decimals, grouped, signed = false, percent = false } = kind
  const [, sign = '', digits = ''] = /^([-+]?)(.*)$/.exec(withoutUnit(ascii(text), percent)) ?? []
  if (sign !== '' && !signed) return unreadable
  const meanings = meaningsOf(digits.trim(), grouped).map(trimZeros)
  const fitting = meanings.filter((meaning) => (meaning.split('.')[1]?.length ?? 0) <= decimals)
  const minus = sign === '-' ? '-' : ''
  const [first, ...others] = fitting.map((meaning) => minus + meaning)
  if (meanings.length === 0) return unreadable
  if (first === undefined) return { problem: 'decimals' }
  return meanings.length === 1 ? { value: first } : { choices: [first, ...others] }
}

/** The number, if the text has exactly one meaning. */
export function parseNumber(text: string, kind: NumberKind): string | undefined {
  const reading = readNumber(text, kind)
  return 'value' in reading ? reading.value : undefined
}

/** Replaces full-width characters, minus signs and all kinds of spaces by ASCII. */
function ascii(text: string): string {
  return text
    .replace(/[\uFF01-\uFF5E]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(/[。｡]/g, '.')
    .replace(/[−–]/g, '-')
    .replace(/’/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
}

/** Drops any currency sign, because the field names its unit: Shift+4 types ￥ on a Chinese keyboard. */
function withoutUnit(text: string, percent: boolean): string {
  if (percent) return text.replace(/ ?%$/, '')
  return text.replace(/^([-+]?) ?(?:US)?\p{Sc} ?/u, '$1').replace(/ ?(?:\p{Sc}|USD)$/iu, '')
}

/** The decimal numbers that the text can mean: none, one or two. */
function meaningsOf(text: string, grouped: boolean): string[] {
  const scientific = /^(\d*)\.?(\d*)e([+-]?\d{1,3})$/i.exec(text)
  if (scientific) return shifted(scientific[1] ?? '', scientific[2] ?? '', Number(scientific[3]))
  const [, before = '', after = ''] = /^(\d*)[.,]?(\d*)$/.exec(text) ?? []
  if (before + after !== '') {
    const decimal = `${before || '0'}.${after}`
    const isAmbiguous = grouped && before + after !== text && isGrouped(`${before},${after}`, ',')
    return isAmbiguous ? [decimal, before + after] : [decimal]
  }
  if (!grouped) return []
  if (separators.some((separator) => isGrouped(text, separator))) return [text.replace(/\D/g, '')]
  const [, whole = '', mark = '', decimals = ''] = /^(.+)([.,])(\d*)$/.exec(text) ?? []
  const groups = separators.some((separator) => separator !== mark && isGrouped(whole, separator))
  return groups ? [`${whole.replace(/\D/g, '')}.${decimals}`] : []
}

const separators = [',', '.', ' ', "'"] as const
type Separator = (typeof separators)[number]

/** Whether digits are grouped by three, or, as in India, by two before the last three. */
function isGrouped(text: string, separator: Separator): boolean {
  const [first = '', ...groups] = text.split(separator)
  const last = groups.pop() ?? ''
  if (!/^[1-9]\d{0,2}$/.test(first) || !/^\d{3}$/.test(last)) return false
  const ofThree = groups.every((group) => /^\d{3}$/.test(group))
  return ofThree || (first.length < 3 && groups.every((group) => /^\d\d$/.test(group)))
}

/** The number with its decimal point moved. */
function shifted(before: string, after: string, places: number): string[] {
  if (before + after === '' || Math.abs(places) > maxPlaces) return []
  const digits = '0'.repeat(maxPlaces) + before + after + '0'.repeat(maxPlaces)
  const point = maxPlaces + before.length + places
  return [`${digits.slice(0, point)}.${digits.slice(point)}`]
}

function trimZeros(decimal: string): string {
  const [whole = '', decimals = ''] = decimal.split('.')
  const significant = decimals.replace(/0+$/, '')
  return whole.replace(/^0+(?=\d)/, '') + (significant && `.${significant}`)
}
