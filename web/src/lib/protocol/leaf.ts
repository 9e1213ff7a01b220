import { fromBase64, fromHex, fromUtf8 } from './bytes'
import { amount, decimal } from './manifest'

/** The first fields of every leaf about a draw: which user opens which pack, with which manifest and commitment. */
export interface DrawHead {
  id: string
  /** The user's pseudonym. */
  user: string
  nonce: bigint
  pack: string
  manifest: string
  /** The draw's number in a pack with limited stock; 0 for an unlimited one. */
  draw: bigint
  commitment: string
}

/** A `kaibao-open/v1` leaf of the public log: an instant open that the server signed. */
export interface OpenLeaf extends DrawHead {
  serverSeed: string
  clientSeed: string
  items: { id: string; valueCents: number }[]
  priceCents: number
  time: string
  /** The commitment of the same user's next open. */
  next: string
}

export const ID = /^[a-z0-9-]{1,64}$/

export type Reader<T> = (text: string) => T | null

/** For each field, the key of its line and how to parse it, in the order of the lines. */
export type Lines<T> = { [K in keyof T]: [key: string, read: Reader<T[K]>] }

export const shaped =
  (shape: RegExp): Reader<string> =>
  (text) =>
    shape.test(text) ? text : null

export const hex =
  (length: number): Reader<string> =>
  (text) =>
    fromHex(text, length) && text

/** A valid RFC 3339 time in UTC with milliseconds. */
export const time: Reader<string> = (text) => {
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.toISOString() === text ? text : null
}

const number: Reader<bigint> = (text) => decimal(text)

export const seed: Reader<string> = (text) => {
  const bytes = fromBase64(text)
  return bytes && bytes.length > 0 && bytes.length <= 128 ? fromUtf8(bytes) : null
}

export const items: Reader<OpenLeaf['items']> = (text) => {
  const entries = text.split(' ').map((entry) => {
    const [id = '', value = '', ...rest] = entry.split(':')
    const valueCents = amount(value)
    return rest.length === 0 && ID.test(id) && valueCents !== null ? { id, valueCents } : null
  })
  return entries.every((entry) => entry !== null) ? entries : null
}

const openKind = 'kaibao-open/v1'

export const headLines: Lines<DrawHead> = {
  id: ['id', shaped(ID)],
  user: ['user', hex(16)],
  nonce: ['nonce', number],
  pack: ['pack', shaped(ID)],
  manifest: ['manifest', hex(32)],
  draw: ['draw', number],
  commitment: ['commitment', hex(32)],
}

const lines: Lines<OpenLeaf> = {
  ...headLines,
  serverSeed: ['serverSeed', hex(32)],
  clientSeed: ['clientSeed', seed],
  items: ['items', items],
  priceCents: ['price', amount],
  time: ['time', time],
  next: ['next', hex(32)],
}

/** Whether a leaf's first line has a kind or version that needs a newer verifier. */
export function isNewer(kind: string): boolean {
  return kind !== openKind && /^[a-z][a-z0-9-]{0,62}\/v[1-9]\d{0,5}$/.test(kind)
}

/** Parses a leaf with exactly these lines in this order; null if invalid. */
export function parseOpenLeaf(text: string): OpenLeaf | null {
  return readLines(openKind, lines, text)
}

export function readLines<T extends object>(header: string, expected: Lines<T>, text: string): T | null {
  const [title, ...rest] = text.split('\n')
  const fields = Object.entries<[string, Reader<unknown>]>(expected)
  if (title !== header || rest.pop() !== '' || rest.length !== fields.length) return null
  const found: Record<string, unknown> = {}
  for (const [i, [name, [key, read]]] of fields.entries()) {
    const line = rest[i] ?? ''
    const value = line.startsWith(`${key} `) ? read(line.slice(key.length + 1)) : null
    if (value === null) return null
    found[name] = value
  }
  return found as T
}
