import { join } from 'node:path'
import { expect, it } from 'vitest'
import { importsOf, sourceFiles } from './source'

// The linter's import/no-cycle ignores dynamic imports, which can close a cycle too.

const graph = new Map(
  sourceFiles.map((file) => {
    const imports = importsOf(file)
    return [file, [...imports.static, ...imports.types, ...imports.dynamic]]
  }),
)

/** The shortest path from a file back to itself. */
function cycleAt(start: string): string[] | undefined {
  const paths = [[start]]
  const seen = new Set<string>()
  for (const path of paths) {
    for (const next of graph.get(path.at(-1) ?? '') ?? []) {
      if (next === start) return [...path, start]
      if (!seen.has(next)) paths.push([...path, next])
      seen.add(next)
    }
  }
  return undefined
}

it('follows static, type and dynamic imports', () => {
  expect(importsOf(join('src', 'main.tsx')).static).toContain(join('src', 'app', 'app.tsx'))
  expect(importsOf(join('src', 'app', 'pages.ts')).dynamic).toContain(join('src', 'app', 'routes', 'home.tsx'))
  expect(importsOf(join('src', 'features', 'proofs', 'open-id-form.tsx')).types).toEqual([])
  expect(importsOf(join('src', 'api', 'log.ts')).types).toEqual([join('src', 'lib', 'protocol', 'bytes.ts')])
})

it('no file imports itself through others', () => {
  expect(sourceFiles.map(cycleAt).filter(Boolean)).toEqual([])
})
