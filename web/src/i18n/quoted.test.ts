import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { quoted } from './quoted'

type Texts = Readonly<Record<string, unknown>>

/** The dictionaries beside the code, by the name they export, and what the app puts together for the first page. */
const modules = import.meta.glob<Texts>('/src/**/texts/**/en.ts', { eager: true })
const first = modules['/src/app/texts/en.ts']
const parts = Object.assign({}, ...Object.values(modules)) as Texts

/** The code that shows things: no dictionary, no test. */
const code = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|^test\/|\/texts\/.*(en|zh)\.ts$|^i18n\/quoted/.test(path))
  .map((path) => readFileSync(join('src', path), 'utf8'))

function textAt(place: string, values: readonly (string | number)[] = []): unknown {
  const [part, path] = place.includes(':') ? place.split(':') : [undefined, place]
  const found = (path ?? '')
    .split('.')
    .reduce<unknown>((texts, key) => (texts as Record<string, unknown> | undefined)?.[key], part ? parts[part] : first)
  return typeof found === 'function' ? (found as (...values: readonly unknown[]) => unknown)(...values) : found
}

/** Whether a module takes the text's last key from a dictionary, by that name or, for a record of texts, by its record's. */
function isUsed(place: string): boolean {
  const keys = place.split(/[.:]/)
  const key = keys.at(-1) ?? ''
  const name = key.includes('-') || place.includes('walletErrors') ? 'walletErrors' : key
  const part = place.includes(':') ? `${keys[0]}Texts` : 'useT'
  const used = new RegExp(`\\.${name}\\b`)
  return code.some(
    (text) => used.test(text) && (text.includes(part) || text.includes('Dictionary') || text.includes('useOpeningT')),
  )
}

const shown = quoted.flatMap((entry) => ('shown' in entry ? [entry] : []))

describe('the texts that the specification quotes', () => {
  it.each(shown)('$text is the English text of $shown, letter for letter', (entry) => {
    expect(textAt(entry.shown, entry.with)).toBe(entry.text)
  })

  it.each(shown)('$shown is used', ({ shown: place }) => {
    expect(isUsed(place)).toBe(true)
  })

  it('would notice a text that no code uses', () => {
    expect(isUsed('shell.notFound.noSuchText')).toBe(false)
    expect(isUsed('board:noSuchText')).toBe(false)
  })

  it('are each listed once for each place', () => {
    const places = quoted.map((entry) => `${entry.text} ${'shown' in entry ? entry.shown : ''}`)
    expect(new Set(places).size).toBe(places.length)
  })
})
