import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const server = process.env['KAIBAO_URL'] ?? 'http://127.0.0.1:8080'

const ofTheShell =
  /icons\/(gallery-vertical-end|scroll-text|store|vault|wallet-cards|coins|file-search|volume-2|volume-x|plus|pencil|flask-conical)\.|src\/(ui\/(avatar|failed|logo|scroll-area|tooltip)|lib\/(sound-setting|rarity)|app\/shell\/pages|api\/(client|keys|session|packs|draws|wallet)|features\/identity\/(session-state|wallet-text|wallet\/(wallet|phantom)))\./

// Pieces of a few lines that the pages about proofs have in common.
const ofProofs = /(domain\/tier-label|api\/log-key)\./

// What the marketplace and the vault alone have in common.
const ofShelves =
  /icons\/sliders-horizontal\.|src\/(?:ui\/(?:select|shelf|shelf-skeleton)\.|features\/market\/(?:filter|use-|advanced)|features\/market\/texts\/index\.)/

// Not for the pages that have neither items nor forms, nor for those where nothing is traded or moves.
const ofMostPages =
  /^(?!.*(?:src\/(?:(?:ui\/(?:input|endless-grid|motion-switch|tiles)|domain\/slab|lib\/motion-setting)\.|features\/market\/)|icons\/chevron-down\.))/

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

export default defineConfig({
  plugins: [react(), tailwindcss(), serversConfig],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // public/.gitkeep is copied too: it keeps dist present for the Go embed on a clean tree.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Few large pieces compress better than thirty small ones: the libraries of every page,
        // and what most pages share.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(?!react-virtual|virtual-core)[^/]+)\//,
              priority: 2,
            },
            { name: 'shared', minShareCount: 5, test: ofMostPages, priority: 1 },
            // A group takes along what its modules import: what others need too must have a piece before.
            { name: 'input', test: /(?:src\/ui\/input|icons\/search(?:-x)?)\./, priority: 1 },
            { name: 'cards', test: /src\/(?:domain\/(?:slab|certificate)|ui\/endless-grid)\./, minShareCount: 2 },
            { name: 'shelf', test: ofShelves, minShareCount: 2 },
            {
              name: 'trade',
              test: /features\/market\/(?:tell-seller|texts\/trade\/index)\./,
              minShareCount: 2,
            },
            { name: 'proof', test: ofProofs, minShareCount: 2 },
            // What the shell needs on every page, however few pages need it too.
            { name: 'shared', test: ofTheShell, priority: 1 },
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
    setupFiles: ['src/test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    testTimeout: 30_000, // beside other work, too
    restoreMocks: true,
    unstubGlobals: true,
  },
})
