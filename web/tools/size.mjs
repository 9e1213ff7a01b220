// Fails when the JavaScript of a page is too heavy, gzipped: the shell (the entry and one language), a route's
// own code with its texts, or the two together, which is a first load; or when a page consists of too many scripts.
// Builds in memory and writes nothing.
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

const weigh = (names) => [...names].reduce((sum, name) => sum + (gzipped.get(name) ?? 0), 0)

const entry = [...chunks.values()].find((chunk) => chunk.isEntry).fileName
const languages = [...chunks.values()]
  .filter((chunk) => /\/src\/i18n\/texts\/(?:en|zh)\.ts$/.test(chunk.facadeModuleId ?? ''))
  .map((chunk) => weigh(withImports(chunk.fileName)))

// The texts that a page's own code asks for, one language at a time. The table of pages asks for them beside the
// code, so that they are no imports of the page's pieces.
function ownTexts(page) {
  return textFolders(page).reduce((sum, folder) => sum + Math.max(...weightsOf(folder)), 0)
}
const textFolders = (page) => [...needed(page)].filter((id) => id.endsWith('/texts/index.ts')).map(dirname)
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

const shellChunks = withImports(entry)
const shell = weigh(shellChunks) + Math.max(...languages)
const routes = [...chunks.values()]
  .filter((chunk) => /\/src\/app\/routes\/[\w-]+\.tsx$/.test(chunk.facadeModuleId ?? ''))
  .map((chunk) => {
    const own = [...withImports(chunk.fileName)].filter((name) => !shellChunks.has(name))
    const scripts = shellChunks.size + 1 + own.length + textFolders(chunk.facadeModuleId).length
    return { page: chunk.name, bytes: weigh(own) + ownTexts(chunk.facadeModuleId), scripts }
  })
const css = output
  .filter((file) => file.fileName.endsWith('.css'))
  .reduce((sum, file) => sum + gzipSync(file.source).length, 0)

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
console.log(`${'shell'.padEnd(16)} ${kilobytes(shell)}`)
for (const { page, bytes, scripts } of routes)
  console.log(`${page.padEnd(16)} ${kilobytes(bytes)}, first load ${kilobytes(shell + bytes)}, ${scripts} scripts`)
console.log(`${'css'.padEnd(16)} ${kilobytes(css)}`)

const faults = [
  routes.length === 0 && 'no route was found',
  shell > limits.shell && `the shell is over ${kilobytes(limits.shell)}`,
  css > limits.css && `the CSS is over ${kilobytes(limits.css)}`,
  ...routes.flatMap(({ page, bytes, scripts }) => [
    scripts > limits.scripts && `${page} consists of ${scripts} scripts, more than ${limits.scripts}`,
    bytes > limits.route && `${page} is over ${kilobytes(limits.route)} of its own code`,
    shell + bytes > limits.firstLoad && `the first load of ${page} is over ${kilobytes(limits.firstLoad)}`,
  ]),
].filter(Boolean)
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exit(1)
