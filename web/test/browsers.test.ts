import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// The build translates syntax for these browsers and adds no functions: tsconfig.json's `lib` and the linter's
// no-restricted-properties keep out those that they lack.
it('the docs list the browsers that the build targets', () => {
  const targets = /const browsers = \[(.*)\]/.exec(readFileSync('vite.config.ts', 'utf8'))?.[1] ?? ''
  const docs = readFileSync('../docs/operations.md', 'utf8')
  const listed = /## Supported browsers\s+([^\n]+)/.exec(docs)?.[1] ?? ''
  const versions = (text: string) => [...new Set(text.match(/\d+/g))].sort()
  expect(versions(targets)).toHaveLength(3)
  expect(versions(listed)).toEqual(versions(targets))
})
