import { readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { minifySync, type Plugin, type Rolldown } from 'vite'
import { defineConfig } from 'vitest/config'
import { prerenderPlugin } from './tools/prerender-plugin'

const server = process.env['KAIBAO_URL'] ?? 'http://127.0.0.1:8080'

type Modules = Parameters<Extract<Rolldown.CodeSplittingGroup['name'], (...given: never) => unknown>>[1]

/** Our own code that `main.tsx` imports, itself or through others: every page waits for it. */
const withEveryPage = new Map<string, boolean>()
function comesWithEveryPage(id: string, modules: Modules): boolean {
  const known = withEveryPage.get(id)
  if (known !== undefined) return known
  withEveryPage.set(id, false)
  const importers = modules.getModuleInfo(id)?.importers ?? []
  const found = importers.some(
    (importer) => importer.endsWith('/src/main.tsx') || comesWithEveryPage(importer, modules),
  )
  withEveryPage.set(id, found)
  return found
}
/** Too small for requests of their own. */
const isTinyAndShared = /\/(?:texts\/index|live-setting|use-rotation|use-hover-or-focus)\.ts$/
const isOurs = (id: string) => /^[^\0]*\/web\/src\/(?!main\.)/.test(id)

/** In development the page is Vite's own: what the server would tell it is taken from the server's. */
const serversConfig: Plugin = {
  name: 'servers-config',
  apply: 'serve',
  async transformIndexHtml(html) {
    const page = await (await fetch(server)).text()
    const [told] = /<script type="application\/json" id="kaibao-config">.*?<\/script>/s.exec(page) ?? []
    if (!told)
      throw new Error(
        `${server} serves no page with a configuration: start it with bin/kaibao serve, or set KAIBAO_URL`,
      )
    return html.replace('</head>', () => `${told}</head>`)
  },
}

/** Vite wraps each `import()` in a helper that loads styles first, which we have none of; ours retries instead. */
const retriedImports: Plugin = {
  name: 'retried-imports',
  apply: 'build',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? "export { loadCode as __vitePreload } from './src/lib/load-code'" : null,
}

/**
 * Libraries of before modules stand in a function each, which is called once. The browser reads a function in brackets
 * as it reads the file, and an arrow a second time when it is called: with React that blocks for twice as long.
 */
const readOnce: Plugin = {
  name: 'read-once',
  apply: 'build',
  renderChunk: (code) => code.replace(/(__commonJS(?:Min)?\(\()\(([\w, ]*)\) => \{/g, '$1function ($2) {'),
}

/** Code and styles lie in the program as the server sends them: compressed once, and as well as can be. */
const packed: Plugin = {
  name: 'packed',
  apply: 'build',
  writeBundle({ dir = 'dist' }, bundle) {
    for (const name of Object.keys(bundle).filter((written) => /^assets\/.*\.(?:js|css)$/.test(written))) {
      const file = join(dir, name)
      writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
      unlinkSync(file)
    }
    // It stands in every page, which waits for it.
    const boot = join(dir, 'boot.js')
    writeFileSync(boot, minifySync('boot.js', readFileSync(boot, 'utf8')).code)
  },
}

/** The oldest browsers that the page supports, as docs/operations.md lists them. */
const browsers = ['chrome114', 'edge114', 'firefox128', 'safari17', 'ios17']

export default defineConfig({
  plugins: [react(), tailwindcss(), serversConfig, retriedImports, readOnce, prerenderPlugin, packed],
  resolve: {
    alias: {
      '@test': fileURLToPath(new URL('./test', import.meta.url)),
      '@': fileURLToPath(new URL('./src', import.meta.url)),
    },
  },
  // public/.gitkeep is copied too: it keeps dist present for the Go embed on a clean tree.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: browsers,
    // One file of styles, which every page has: no piece of code brings its own.
    cssCodeSplit: false,
    // What a page's piece needs is told by the piece: the names of all of them, in code that every page has, weigh
    // more than the round trip that they save. The first page's stand in its HTML.
    modulePreload: false,
    rolldownOptions: {
      output: {
        chunkFileNames: 'assets/[hash:7].js', // names would add weight to every file that imports them
        // Few large chunks: a request costs more than some unused code. tools/size.mjs sets the limits.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /^\0rolldown\/runtime|node_modules\/(react|react-dom|scheduler|@tanstack\/(?!react-virtual|virtual-core)[^/]+)\//,
              priority: 2,
            },
            {
              name: (id, modules) =>
                isOurs(id) && (comesWithEveryPage(id, modules) || isTinyAndShared.test(id)) ? 'shell' : null,
              priority: 1,
            },
            // Loaded with the first form: no page starts with one.
            { name: 'forms', test: /node_modules\/(zod|react-hook-form)\//, priority: 1 },
            {
              name: 'pages',
              test: /\/src\/(?!api\/feed|components\/ui\/(?:form|dialog)|lib\/(?:field-parsers|protocol))(?:api|app|components|contract|features\/store|i18n|lib)\/|\/texts\/index\.ts$|node_modules\/(?!@radix-ui)/,
              minShareCount: 3,
            },
            // All that trades share, without the forms of the dialogs.
            { name: 'bids', test: /\/src\/features\/bids\//, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(['/api', '/media', '/log'].map((path) => [path, server])),
  },
  test: {
    environment: 'jsdom',
    pool: 'threads',
    // A fresh document for every file takes four times as long. So a test puts back what it changes, and spies on
    // modules instead of replacing them (vi.mock), which others have loaded already.
    isolate: false,
    setupFiles: ['test/setup.ts'],
    include: ['{src,test}/**/*.test.{ts,tsx}'],
    testTimeout: 30_000, // beside other work, too
    restoreMocks: true,
    unstubGlobals: true,
  },
})
