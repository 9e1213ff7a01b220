import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Visitor } from 'vite'
import { describe, expect, it } from 'vitest'
import { quoted } from './quoted'
import { parse } from './source'

const modules = import.meta.glob<object>('/src/**/texts/en.ts', { eager: true })

/** The English texts of every page, and those of each feature under its folder's name. */
const dictionaries: Record<string, unknown> = {
  ...modules['/src/i18n/texts/en.ts'],
  ...Object.fromEntries(
    Object.entries(modules).map(([path, texts]) => [/([\w-]+)\/texts\/en\.ts$/.exec(path)?.[1] ?? path, texts]),
  ),
}

/** Identifiers and accessed property names of a file. */
interface Mentioned {
  names: ReadonlySet<string>
  keys: ReadonlySet<string>
}

function mentionedIn(file: string, text: string): Mentioned {
  const names = new Set<string>()
  const keys = new Set<string>()
  const { program } = parse(file, text)
  new Visitor({
    Identifier: ({ name }) => void names.add(name),
    MemberExpression({ property }) {
      if (property.type === 'Identifier') keys.add(property.name)
      if (property.type === 'Literal') keys.add(String(property.value))
    },
    ObjectPattern({ properties }) {
      for (const property of properties) {
        if (property.type === 'Property' && property.key.type === 'Identifier') keys.add(property.key.name)
      }
    },
  }).visit(program)
  return { names, keys }
}

/** Source files except dictionaries and tests. */
const code = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.|\/texts\/.*(en|zh)\.ts$/.test(path))
  .map((path) => mentionedIn(path, readFileSync(join('src', path), 'utf8')))

function textAt(place: string, values: readonly (string | number)[] = []): unknown {
  const found = place
    .split(/[.:]/)
    .reduce<unknown>((texts, key) => (texts as Record<string, unknown> | undefined)?.[key], dictionaries)
  return typeof found === 'function' ? (found as (...values: readonly unknown[]) => unknown)(...values) : found
}

/** Whether a module accesses the text's last key in a dictionary, or the record that contains the text. */
function isUsed(place: string): boolean {
  const keys = place.split(/[.:]/)
  const key = place.includes('walletErrors') ? 'walletErrors' : (keys.at(-1) ?? '')
  const dictionaryNames = [place.includes(':') ? `${keys[0]}Texts` : 'useT', 'Dictionary', 'useOpeningT']
  return code.some((mentioned) => mentioned.keys.has(key) && dictionaryNames.some((name) => mentioned.names.has(name)))
}

const shown = quoted.flatMap((entry) => ('shown' in entry ? [entry] : []))

describe('the texts that the specification quotes', () => {
  it.each(shown)('$text is the English text of $shown, letter for letter', (entry) => {
    expect(textAt(entry.shown, entry.with)).toBe(entry.text)
  })

  it.each(shown)('$shown is used', ({ shown: place }) => {
    expect(isUsed(place)).toBe(true)
  })

  it('detects a text that no code uses', () => {
    expect(isUsed('shell.notFound.noSuchText')).toBe(false)
    expect(isUsed('leaderboard:noSuchText')).toBe(false)
  })

  it('doesn’t count a comment, a string or the text’s own key as a use', () => {
    const { keys } = mentionedIn(
      'probe.tsx',
      `// t.first\nconst own = { second: 't.third' }; t.fourth; const { fifth } = t`,
    )
    expect([...keys]).toEqual(['fourth', 'fifth'])
  })

  it('are listed once for each place', () => {
    const places = quoted.map((entry) => `${entry.text} ${'shown' in entry ? entry.shown : ''}`)
    expect(new Set(places).size).toBe(places.length)
  })
})
