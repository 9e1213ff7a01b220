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

const entry = [...chunks.values()].find((chunk) => chunk.isEntry).fileName
const languages = [...chunks.values()]
  .filter((chunk) => /\/src\/app\/texts\/(?:en|zh)\.ts$/.test(chunk.facadeModuleId ?? ''))
  .map((chunk) => weigh(withImports(chunk.fileName)))

// A page may bring texts of its own, from a folder beside its code, one language at a time.
const partOf = (name) => /\/src\/(.*\/texts\/.*)(?:en|zh)\.ts$/.exec(chunks.get(name)?.facadeModuleId ?? '')?.[1]
function ownTexts(names) {
  const heaviest = new Map()
  for (const text of names.flatMap((name) => chunks.get(name)?.dynamicImports ?? [])) {
    const part = partOf(text)
    if (part && part !== 'app/texts/') heaviest.set(part, Math.max(heaviest.get(part) ?? 0, gzipped.get(text)))
  }
  return [...heaviest.values()].reduce((sum, bytes) => sum + bytes, 0)
}

const routes = [...chunks.values()]
  .filter((chunk) => /\/src\/app\/routes\/[\w-]+\.tsx$/.test(chunk.facadeModuleId ?? ''))
  .map((chunk) => {
    const names = new Set([...withImports(entry), ...withImports(chunk.fileName)])
    return { page: chunk.name, bytes: weigh(names) + Math.max(...languages) + ownTexts([...names]) }
  })
const css = output
  .filter((file) => file.fileName.endsWith('.css'))
  .reduce((sum, file) => sum + gzipSync(file.source).length, 0)

for (const { page, bytes } of routes) console.log(`${page.padEnd(16)} ${(bytes / 1000).toFixed(1)} kB`)
console.log(`${'css'.padEnd(16)} ${(css / 1000).toFixed(1)} kB`)

if (css > limits.css || routes.length === 0 || routes.some(({ bytes }) => bytes > limits.js)) {
  console.error(`over the limit of ${limits.js / 1000} kB of JavaScript or ${limits.css / 1000} kB of CSS`)
  process.exit(1)
}
