import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !path.startsWith('contract/'))
  .map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }))

/** What some browser that people still have lacks; the build translates syntax and adds no functions. */
const tooNew = [
  /\.to(?:Sorted|Reversed|Spliced)\(/,
  /\b(?:Object|Map)\.groupBy\(/,
  /\bPromise\.(?:withResolvers|try)\(/,
  /\bArray\.fromAsync\(/,
  /\bURL\.(?:canParse|parse)\(/,
  /\bAbortSignal\.any\(/,
  /\.(?:keys|values|entries)\(\)\.(?:map|filter|take|drop|flatMap|reduce|toArray|forEach|some|every|find)\(/,
  /\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/,
  /\bUint8Array\.from(?:Base64|Hex)\(/,
]

it.each(tooNew)('nothing in the page needs %s', (name) => {
  expect(
    sources
      .filter(({ text }) => name.test(text.replaceAll(/\b(?:Object|Array)\.(?:keys|values|entries)\(/g, '')))
      .map(({ path }) => path),
  ).toEqual([])
})

it('the docs list the browsers that the build is made for', () => {
  const targets = /const browsers = \[(.*)\]/.exec(readFileSync('vite.config.ts', 'utf8'))?.[1] ?? ''
  const docs = readFileSync('../docs/operations.md', 'utf8')
  const said = /## Supported browsers\s+([^\n]+)/.exec(docs)?.[1] ?? ''
  const versions = (text: string) => [...new Set(text.match(/\d+/g))].sort()
  expect(versions(targets)).toHaveLength(3)
  expect(versions(said)).toEqual(versions(targets))
})
