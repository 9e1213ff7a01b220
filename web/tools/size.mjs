// Fails when a page's first load is too heavy: the entry, the page's own code and one language,
// with all they import, gzipped. Builds in memory and writes nothing.
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const limits = { js: 150_000, css: 20_000 }

const importsOf = new Map()
const graph = {
  name: 'graph',
  buildEnd() {
    for (const id of this.getModuleIds()) importsOf.set(id, this.getModuleInfo(id).importedIds)
  },
}

const { output } = await build({ logLevel: 'error', build: { write: false }, plugins: [graph] })
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

// The texts that a page's own code asks for, one language at a time. The table of pages asks for them beside the
// code, so that they are no imports of the page's pieces.
function ownTexts(page) {
  const folders = [...needed(page)].filter((id) => /\/texts\/(?:.*\/)?index\.ts$/.test(id)).map(dirname)
  return folders.reduce((sum, folder) => sum + Math.max(...weightsOf(folder)), 0)
}
const weightsOf = (folder) =>
  [...chunks.values()]
    .filter(({ facadeModuleId }) => ['en', 'zh'].some((language) => facadeModuleId === `${folder}/${language}.ts`))
    .map(({ fileName }) => gzipped.get(fileName))

function needed(id, seen = new Set()) {
  if (!seen.has(id)) {
    seen.add(id)
    for (const imported of importsOf.get(id) ?? []) needed(imported, seen)
  }
  return seen
}

const routes = [...chunks.values()]
  .filter((chunk) => /\/src\/app\/routes\/[\w-]+\.tsx$/.test(chunk.facadeModuleId ?? ''))
  .map((chunk) => {
    const names = new Set([...withImports(entry), ...withImports(chunk.fileName)])
    return { page: chunk.name, bytes: weigh(names) + Math.max(...languages) + ownTexts(chunk.facadeModuleId) }
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
