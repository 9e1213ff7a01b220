import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ParseResult, parseSync } from 'vite'

/** Source files and unit tests. */
export const sourceFiles = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?<!\.d)\.tsx?$/.test(path))
  .map((path) => join('src', path))

export function parse(file: string, text = readFileSync(file, 'utf8')): ParseResult {
  const parsed = parseSync(file, text)
  if (parsed.errors.length > 0) throw new Error(`${file}: ${parsed.errors[0]?.message}`)
  return parsed
}

interface Imports {
  /** Loaded with the file. */
  static: readonly string[]
  /** Only their types are used. */
  types: readonly string[]
  /** Loaded later, with `import()`. */
  dynamic: readonly string[]
}

/** The files in `src` that a file imports. */
export function importsOf(file: string): Imports {
  const text = readFileSync(file, 'utf8')
  const { staticImports, staticExports, dynamicImports } = parse(file, text).module
  const named = [
    ...staticImports.map(({ moduleRequest, entries }) => ({ name: moduleRequest.value, entries })),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap((entry) => (entry.moduleRequest ? [{ name: entry.moduleRequest.value, entries: [entry] }] : [])),
    ),
  ]
  const isType = ({ entries }: (typeof named)[number]) => entries.length > 0 && entries.every((entry) => entry.isType)
  const files = (names: readonly string[]) => names.flatMap((name) => fileOf(file, name) ?? [])
  return {
    static: files(named.filter((request) => !isType(request)).map(({ name }) => name)),
    types: files(named.filter(isType).map(({ name }) => name)),
    dynamic: files(
      dynamicImports.map(({ moduleRequest: { start, end } }) =>
        text.slice(start, end).replaceAll(/^['"`]|['"`]$/g, ''),
      ),
    ),
  }
}

/** The file in `src` that an import refers to; undefined for packages. */
export function fileOf(from: string, name: string): string | undefined {
  if (!/^(?:@|\.{1,2})\//.test(name)) return undefined
  const path = name.startsWith('@/') ? join('src', name.slice(2)) : join(dirname(from), name)
  return [`${path}.ts`, `${path}.tsx`, join(path, 'index.ts')].find((file) => existsSync(file))
}
