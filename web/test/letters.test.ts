import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(css|tsx?)$/.test(path) && !path.includes('.test.'))
  .map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }))

/** Class names and declarations that show other letters than those that are written. */
const changesLetters =
  /(?<![\w-])(?:[\w-]+:)*(?:uppercase|lowercase|capitalize)(?=['"\s])|text-transform:|font-variant(?:-caps)?:|font-variant-caps/

/** Words between tags, or in an attribute that is read out or shown; an id is none. */
const hasText =
  />[^<>{}=;()]*[A-Za-z\u4e00-\u9fff]{2}[^<>{}=;()]*<\/|\b(?:aria-label|title|alt|placeholder|label)="(?![\da-f-]{36}")[^"]*[A-Za-z\u4e00-\u9fff]{2}/

describe('what is written is what is shown', () => {
  it.each([
    ['className="eyebrow uppercase"', true],
    ['className="first-letter:uppercase"', true],
    ["cn('capitalize')", true],
    ['text-transform: uppercase;', true],
    ['name.toUpperCase()', false],
    ['uppercased(name)', false],
  ])('%s changes letters: %s', (text, changed) => {
    expect(changesLetters.test(text)).toBe(changed)
  })

  it('no style changes letters', () => {
    expect(sources.filter(({ text }) => changesLetters.test(text)).map(({ path }) => path)).toEqual([])
  })

  it('numbers and times are written by lib/format alone', () => {
    const writes = /\.toLocale\w+\(|\bIntl\.|\.toExponential\(/
    expect(sources.filter(({ text }) => writes.test(text)).map(({ path }) => path)).toEqual(['lib/format.ts'])
  })

  it.each([
    ['<p>Sold out</p>', true],
    ['<p>售罄</p>', true],
    ['<button aria-label="Close" />', true],
    ['<p>{t.soldOut}</p>', false],
    ['<Dialog label={t.close} />', false],
  ])('%s has a text of its own: %s', (text, has) => {
    expect(hasText.test(text)).toBe(has)
  })

  // Journeys and pictures need not look at every page in every language for this.
  it('no component has a text of its own: each stands in both languages', () => {
    const shown = sources.filter(({ path }) => path.endsWith('.tsx'))
    expect(shown.filter(({ text }) => hasText.test(text)).map(({ path }) => path)).toEqual([])
  })

  it('Chinese texts say 你, never 您', () => {
    expect(sources.filter(({ text }) => text.includes('您')).map(({ path }) => path)).toEqual([])
  })
})
