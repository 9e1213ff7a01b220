// Fails if a page's gzipped JavaScript or CSS exceeds its limit: the shell (entry and one language), a route's own code
// with its texts, both together (a first load), or the number of scripts. Builds in memory and writes nothing.
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const limits = { shell: 145_000, route: 45_000, firstLoad: 185_000, css: 20_000, scripts: 20 }

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

const sizeOf = (names) => [...names].reduce((sum, name) => sum + (gzipped.get(name) ?? 0), 0)

const entry = [...chunks.values()].find((chunk) => chunk.isEntry).fileName
const languages = [...chunks.values()]
  .filter((chunk) => /\/src\/i18n\/texts\/(?:en|zh)\.ts$/.test(chunk.facadeModuleId ?? ''))
  .map((chunk) => sizeOf(withImports(chunk.fileName)))

// The texts of a page's own code, in the larger language. The router loads them alongside the code, so the chunks don't
// import them.
function ownTexts(page) {
  return textFolders(page).reduce((sum, folder) => sum + Math.max(...sizesOf(folder)), 0)
}
const textFolders = (page) => [...moduleClosure(page)].filter((id) => id.endsWith('/texts/index.ts')).map(dirname)
const sizesOf = (folder) =>
  [...chunks.values()]
    .filter(({ facadeModuleId }) => ['en', 'zh'].some((language) => facadeModuleId === `${folder}/${language}.ts`))
    .map(({ fileName }) => gzipped.get(fileName))

function moduleClosure(id, seen = new Set()) {
  if (!seen.has(id)) {
    seen.add(id)
    for (const imported of importsOf.get(id) ?? []) moduleClosure(imported, seen)
  }
  return seen
}

const shellChunks = withImports(entry)
const shell = sizeOf(shellChunks) + Math.max(...languages)
const routes = [...chunks.values()]
  .filter((chunk) => /\/src\/app\/routes\/[\w-]+\.tsx$/.test(chunk.facadeModuleId ?? ''))
  .map((chunk) => {
    const own = [...withImports(chunk.fileName)].filter((name) => !shellChunks.has(name))
    const scripts = shellChunks.size + 1 + own.length + textFolders(chunk.facadeModuleId).length
    return { page: chunk.name, bytes: sizeOf(own) + ownTexts(chunk.facadeModuleId), scripts }
  })
const css = output
  .filter((file) => file.fileName.endsWith('.css'))
  .reduce((sum, file) => sum + gzipSync(file.source).length, 0)

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
console.log(`${'shell'.padEnd(16)} ${kilobytes(shell)}`)
for (const { page, bytes, scripts } of routes)
  console.log(`${page.padEnd(16)} ${kilobytes(bytes)}, first load ${kilobytes(shell + bytes)}, ${scripts} scripts`)
console.log(`${'css'.padEnd(16)} ${kilobytes(css)}`)

const failures = [
  routes.length === 0 && 'found no routes',
  shell > limits.shell && `the shell is over ${kilobytes(limits.shell)}`,
  css > limits.css && `the CSS is over ${kilobytes(limits.css)}`,
  ...routes.flatMap(({ page, bytes, scripts }) => [
    scripts > limits.scripts && `${page} consists of ${scripts} scripts, more than ${limits.scripts}`,
    bytes > limits.route && `${page} is over ${kilobytes(limits.route)} of its own code`,
    shell + bytes > limits.firstLoad && `the first load of ${page} is over ${kilobytes(limits.firstLoad)}`,
  ]),
].filter(Boolean)
for (const failure of failures) console.error(failure)
if (failures.length > 0) process.exit(1)
