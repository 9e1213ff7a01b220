import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

/** The linter's own rule sees neither what is loaded later nor what is only a type. */
const named = /(?:\bfrom|\bimport)\s*\(?\s*'((?:@|\.{1,2})\/[^']*)'/g

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => join('src', path))

const importsOf = new Map(
  files.map((file) => [
    file,
    [...readFileSync(file, 'utf8').matchAll(named)].flatMap(([, name]) => fileOf(file, name)),
  ]),
)

function fileOf(from: string, name = ''): string[] {
  const path = name.startsWith('@/') ? join('src', name.slice(2)) : join(dirname(from), name)
  return [`${path}.ts`, `${path}.tsx`, join(path, 'index.ts')].filter((file) => existsSync(file))
}

/** The files that lead from one back to itself, the shortest way. */
function circleAt(start: string): string[] | undefined {
  const ways = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of importsOf.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, start]
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return undefined
}

it('reads the imports it is about', () => {
  expect(importsOf.get(join('src', 'main.tsx'))).toContain(join('src', 'app', 'app.tsx'))
  expect(importsOf.get(join('src', 'components', 'ui', 'endless-grid.tsx'))).toContain(
    join('src', 'components', 'ui', 'grid-window.tsx'),
  )
})

it('no file leads back to itself', () => {
  expect(files.map(circleAt).filter(Boolean)).toEqual([])
})
