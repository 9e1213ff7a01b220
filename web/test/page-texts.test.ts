import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

// A component whose texts aren't loaded suspends, and with it the whole page: it flickers, and its pre-rendered page is
// empty. So each page in app/pages.ts lists the texts of everything it imports, apart from lazily loaded parts.

const staticImport = /^(?:import|export) (?!type\b)[^;']*?from '((?:@|\.{1,2})\/[^']*)'/gm

function fileOf(from: string, name: string): string | undefined {
  const path = name.startsWith('@/') ? join('src', name.slice(2)) : join(dirname(from), name)
  return [`${path}.ts`, `${path}.tsx`, join(path, 'index.ts')].find((file) => existsSync(file))
}

/** The text modules that a file imports, directly or through other files. */
function textsOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  if (file.endsWith('/texts/index.ts')) return [file]
  return [...readFileSync(file, 'utf8').matchAll(staticImport)].flatMap(([, name = '']) => {
    const imported = fileOf(file, name)
    return imported ? textsOf(imported, seen) : []
  })
}

const table = 'src/app/pages.ts'
const source = readFileSync(table, 'utf8')
const textModules = new Map(
  [...source.matchAll(/^import \{ (\w+Texts) \} from '([^']+)'/gm)].map(([, name = '', path = '']) => [
    name,
    fileOf(table, path),
  ]),
)
const pages = [...source.matchAll(/^ {2}(\w+): \{\n {4}path: .*?\n {2}\},/gms)].map(([entry, name = '']) => {
  const route = /import\('\.\/(routes\/[\w-]+)'\)/.exec(entry)?.[1] ?? ''
  const listed = /texts: \[([^\]]*)\]/.exec(entry)?.[1] ?? ''
  return { name, route: `src/app/${route}.tsx`, listed: [...listed.matchAll(/\w+/g)].map(([text]) => text) }
})

it('reads every page', () => {
  expect(pages.length).toBe([...source.matchAll(/lazyRouteComponent\(/g)].length)
  expect(textsOf('src/app/routes/vault.tsx')).toContain('src/features/sellback/texts/index.ts')
})

it.each(pages)('the page $name lists the texts it imports', ({ route, listed }) => {
  const loaded = listed.map((name) => textModules.get(name))
  expect(textsOf(route).filter((texts) => !loaded.includes(texts))).toEqual([])
})
