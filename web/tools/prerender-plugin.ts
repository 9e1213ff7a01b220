import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { JSDOM } from 'jsdom'
import { createServer, type Plugin, type Rolldown } from 'vite'
import type { PrerenderedPage } from './prerender'

const web = fileURLToPath(new URL('..', import.meta.url))
const source = join(web, 'src')

/** Stand for values that only the server knows; internal/webui replaces them. */
const placeholders = {
  sandbox: true,
  version: 'first-version',
  social: 'https://social.invalid',
  chat: 'https://chat.invalid',
  feed: '',
  covers: ['0', '1', '2', '3', 'named'].map((which) => ({
    // `_` stands for the pack in the address.
    pack: which === 'named' ? '_' : which,
    address: `first-cover-${which}`,
    sources: `first-sources-${which}`,
  })),
}

/**
 * Writes each page as it is before any data has loaded, in both languages, for visitors with and without a session,
 * and with the chunks it needs: dist/first/{language}/{visitor,member}/{path}.html.gz.
 */
export const prerenderPlugin: Plugin = {
  name: 'prerender',
  apply: 'build',
  async writeBundle({ dir = 'dist' }, bundle) {
    const index = bundle['index.html']
    if (index?.type !== 'asset') throw new Error('the build has no index.html')
    const styles = Object.keys(bundle).filter((name) => name.endsWith('.css'))
    const chunksOf = chunkFinder(bundle, (id) => this.getModuleInfo(id)?.importedIds ?? [])
    for (const page of await renderPages()) {
      const { path, language, session, html, prefetched } = page
      const needs = JSON.stringify({ calls: prefetched, chunks: chunksOf(page).map((chunk) => `/${chunk}`) })
      const links = [
        ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
        // For boot.js.
        `<script type="application/json" id="needed">${needs}</script>`,
      ]
      const whole = String(index.source)
        .replace(/<html lang="[^"]*"/, `<html lang="${language === 'zh' ? 'zh-CN' : 'en'}"`)
        // boot.js loads the app.
        .replace(/ *<script .*?<\/script>\n| *<link rel="(?:modulepreload|stylesheet)".*?>\n/g, '')
        .replace('</head>', () => `  ${links.join('\n    ')}\n  </head>`)
        .replace(
          '<div id="root"></div>',
          () => `<div id="root" data-prerendered="same">${html}</div>\n    <script src="/boot.js"></script>`,
        )
      const file =
        join(dir, 'first', language, session ? 'member' : 'visitor', path === '/' ? 'index' : path) + '.html.gz'
      mkdirSync(dirname(file), { recursive: true })
      // Uncompressed, they would be a twelfth of the binary.
      writeFileSync(file, gzipSync(whole, { level: 9 }))
    }
  },
}

/** Renders the pages with the app's own code, loaded by a Vite server into a window of jsdom's. */
async function renderPages(): Promise<readonly PrerenderedPage[]> {
  const { components } = JSON.parse(readFileSync(join(web, '../api/openapi.json'), 'utf8')) as {
    components: { schemas: { PageConfig: { examples: object[] } } }
  }
  const { window } = new JSDOM('<script type="application/json" id="kaibao-config"></script>', {
    url: 'https://public-url.invalid',
  })
  window.matchMedia = () => ({ matches: false, addEventListener() {} }) as never // jsdom has none
  const { document, history, location, localStorage, sessionStorage, matchMedia } = window
  document.scripts[0]!.textContent = JSON.stringify({ ...components.schemas.PageConfig.examples[0], ...placeholders })
  const globals = {
    window,
    self: window,
    document,
    history,
    location,
    localStorage,
    sessionStorage,
    matchMedia,
    addEventListener() {},
    // An open channel would keep the build's process alive.
    BroadcastChannel: undefined,
  }
  Object.assign(globalThis, globals)
  const server = await createServer({
    root: web,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    resolve: { alias: { '@': source } },
    // The router renders other elements on a server than in a browser, where they are hydrated.
    ssr: { noExternal: [/^@tanstack\//], resolve: { conditions: ['browser', 'import', 'default'] } },
  })
  try {
    return ((await server.ssrLoadModule('/tools/prerender.tsx')) as { prerenderedPages: PrerenderedPage[] })
      .prerenderedPages
  } finally {
    await server.close()
    for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name)
  }
}

/** Returns a function that finds the chunks a page needs: its code and its texts, each after its dependencies. */
function chunkFinder(bundle: Rolldown.OutputBundle, importsOf: (id: string) => readonly string[]) {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const chunksOf = (module: string) => chunks.filter(({ facadeModuleId }) => facadeModuleId === join(source, module))
  function addWithImports(chunk: Rolldown.OutputChunk, found: Set<Rolldown.OutputChunk>, seen = new Set(found)) {
    if (seen.has(chunk)) return
    seen.add(chunk)
    for (const name of chunk.imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') addWithImports(imported, found, seen)
    }
    found.add(chunk)
  }
  function modules(id: string, seen = new Set<string>()) {
    if (seen.has(id)) return seen
    seen.add(id)
    for (const imported of importsOf(id)) modules(imported, seen)
    return seen
  }
  const table = readFileSync(join(source, 'app/pages.ts'), 'utf8')
  return ({ name, language }: PrerenderedPage): string[] => {
    const route = new RegExp(`^  ${name}: \\{.*?import\\('\\./(routes/[\\w-]+)'`, 'ms').exec(table)?.[1]
    if (!route) throw new Error(`app/pages.ts has no code for ${name}`)
    const texts = [...modules(join(source, `app/${route}.tsx`))].flatMap(
      (id) => /\/src\/(.*\/texts\/(?:.*\/)?)index\.ts$/.exec(id)?.[1] ?? [],
    )
    const found = new Set<Rolldown.OutputChunk>()
    const files = ['i18n/texts/', ...texts].map((folder) => `${folder}${language}.ts`)
    for (const chunk of [...files, `app/${route}.tsx`].flatMap(chunksOf)) addWithImports(chunk, found)
    // Last, because it starts the app.
    for (const chunk of chunks.filter(({ isEntry }) => isEntry)) addWithImports(chunk, found)
    return [...found].map(({ fileName }) => fileName)
  }
}
