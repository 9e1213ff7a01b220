// Fails when a page's first load is too heavy: the entry, the page's own code and one language,
// with all they import, gzipped. Builds in memory and writes nothing.
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const limits = { js: 150_000, css: 20_000 }

const { output } = await build({ logLevel: 'error', build: { write: false } })
const chunks = new Map(output.filter((file) => file.type === 'chunk').map((chunk) => [chunk.fileName, chunk]))
const gzipped = new Map([...chunks].map(([name, chunk]) => [name, gzipSync(chunk.code).length]))

function withImports(name, seen = new Set()) {
  if (!seen.has(name)) {
    seen.add(name)
    for (const imported of chunks.get(name)?.imports ?? []) withImports(imported, seen)
  }
  return seen
}

const weigh = (names) => [...names].reduce((sum, name) => sum + (gzipped.get(name) ?? 0), 0)
const inFolder = (folder) =>
  [...chunks.values()].filter((chunk) => chunk.facadeModuleId?.includes(folder))

const entry = [...chunks.values()].find((chunk) => chunk.isEntry).fileName
const languages = inFolder('/src/i18n/').map((chunk) => weigh(withImports(chunk.fileName)))
const routes = inFolder('/src/app/routes/').map((chunk) => ({
  page: chunk.name,
  bytes: weigh(new Set([...withImports(entry), ...withImports(chunk.fileName)])) + Math.max(...languages),
}))
const css = output
  .filter((file) => file.fileName.endsWith('.css'))
  .reduce((sum, file) => sum + gzipSync(file.source).length, 0)

for (const { page, bytes } of routes) console.log(`${page.padEnd(16)} ${(bytes / 1000).toFixed(1)} kB`)
console.log(`${'css'.padEnd(16)} ${(css / 1000).toFixed(1)} kB`)

if (css > limits.css || routes.length === 0 || routes.some(({ bytes }) => bytes > limits.js)) {
  console.error(`over the limit of ${limits.js / 1000} kB of JavaScript or ${limits.css / 1000} kB of CSS`)
  process.exit(1)
}
