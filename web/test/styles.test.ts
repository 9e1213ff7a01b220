import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const styles = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.css'))
  .map((path) => join('src', path))

// Screen readers and copied texts get the letters of the source. The linter checks class names.
it('no style changes the case of letters', () => {
  expect(styles).toContain(join('src', 'styles', 'index.css'))
  expect(styles.filter((path) => /text-transform:|font-variant(?:-caps)?:/.test(readFileSync(path, 'utf8')))).toEqual(
    [],
  )
})
