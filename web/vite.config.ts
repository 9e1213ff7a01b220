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

type ModuleGraph = Parameters<Extract<Rolldown.CodeSplittingGroup['name'], (...args: never) => unknown>>[1]

const shellModules = new Map<string, boolean>()
/** Whether `main.tsx` imports a module, directly or through others, so that every page loads it. */
function isShellModule(id: string, modules: ModuleGraph): boolean {
  const known = shellModules.get(id)
  if (known !== undefined) return known
  shellModules.set(id, false) // ends recursion on import cycles
  const importers = modules.getModuleInfo(id)?.importers ?? []
  const isShell = importers.some((importer) => importer.endsWith('/src/main.tsx') || isShellModule(importer, modules))
  shellModules.set(id, isShell)
  return isShell
}
/** Shared modules too small for their own request. */
const tinyModules = /\/(?:texts\/index|live-setting|use-rotation|use-hover-or-focus)\.ts$/
const isOurs = (id: string) => /^[^\0]*\/web\/src\/(?!main\.)/.test(id)

/** Vite serves index.html in development. Copies the page configuration from the Go server's page into it. */
const devConfig: Plugin = {
  name: 'dev-config',
  apply: 'serve',
  async transformIndexHtml(html) {
    const page = await (await fetch(server)).text()
    const [config] = /<script type="application\/json" id="kaibao-config">.*?<\/script>/s.exec(page) ?? []
    if (!config)
      throw new Error(
        `${server} serves no page with a configuration: start it with bin/kaibao serve, or set KAIBAO_URL`,
      )
    return html.replace('</head>', () => `${config}</head>`)
  },
}

/** Vite wraps each `import()` in a helper that loads styles. Replaces it with one that retries; we have no such styles. */
const retriedImports: Plugin = {
  name: 'retried-imports',
  apply: 'build',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? "export { loadCode as __vitePreload } from './src/lib/load-code'" : null,
}

/**
 * Each CommonJS library is wrapped in an arrow function that is called once. Browsers pre-parse an arrow function and
 * parse it again when it is called, but parse a parenthesized function expression only once. With React, parsing twice
 * blocks the page for twice as long.
 */
const eagerCommonJs: Plugin = {
  name: 'eager-commonjs',
  apply: 'build',
  renderChunk: (code) => code.replace(/(__commonJS(?:Min)?\(\()\(([\w, ]*)\) => \{/g, '$1function ($2) {'),
}

/** Stores scripts and styles with maximum compression, as the server embeds and sends them. */
const compressAssets: Plugin = {
  name: 'compress-assets',
  apply: 'build',
  writeBundle({ dir = 'dist' }, bundle) {
    for (const name of Object.keys(bundle).filter((written) => /^assets\/.*\.(?:js|css)$/.test(written))) {
      const file = join(dir, name)
      writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
      unlinkSync(file)
    }
    // Every page includes it and waits for it.
    const boot = join(dir, 'boot.js')
    writeFileSync(boot, minifySync('boot.js', readFileSync(boot, 'utf8')).code)
  },
}

/** The oldest browsers that the page supports, as docs/operations.md lists them. */
const browsers = ['chrome114', 'edge114', 'firefox128', 'safari17', 'ios17']

export default defineConfig({
  plugins: [react(), tailwindcss(), devConfig, retriedImports, eagerCommonJs, prerenderPlugin, compressAssets],
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
    // One style sheet for all pages.
    cssCodeSplit: false,
    // Preload lists would put the names of all chunks into the shell, which costs more than the round trip they save.
    // The HTML of a pre-rendered page lists the chunks of the first page.
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
                isOurs(id) && (isShellModule(id, modules) || tinyModules.test(id)) ? 'shell' : null,
              priority: 1,
            },
            // Loaded with the first form; no page needs one for its first frame.
            { name: 'forms', test: /node_modules\/(zod|react-hook-form)\//, priority: 1 },
            {
              name: 'pages',
              test: /\/src\/(?!api\/(?:feed|gifts|pack-cards|profile|sets|trusted-witnesses)|app\/use-pack-opening|components\/ui\/(?:form|dialog|scroll-region)|lib\/(?:fast-mode|field-parsers|gift-secret|protocol|seen-commitments))(?:api|app|components|contract|i18n|lib)\/|\/texts\/index\.ts$|node_modules\/(?!@radix-ui)/,
              minShareCount: 3,
            },
            // Code that bidding features share, without the dialogs' forms.
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
    // A new document for every file takes four times as long. So tests undo their changes, and spy on modules instead of
    // replacing them (vi.mock), because other tests have loaded them already.
    isolate: false,
    setupFiles: ['test/setup.ts'],
    include: ['{src,test}/**/*.test.{ts,tsx}'],
    testTimeout: 30_000, // also on a busy machine
    restoreMocks: true,
    unstubGlobals: true,
  },
})
