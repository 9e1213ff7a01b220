import { expect, it } from 'vitest'

const sources = import.meta.glob<string>(['/src/**/*.tsx', '!/src/**/*.test.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Number fields and readers other than `NumberInput` and `readNumber`. */
const other = /type=["'{]+number|inputMode=["'{]+decimal|valueAsNumber|parseFloat/

it('reads the sources', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(100)
})

it('uses NumberInput for every number that people type', () => {
  const found = Object.entries(sources).filter(([, source]) => other.test(source))
  expect(found.map(([path]) => path)).toEqual([])
})
