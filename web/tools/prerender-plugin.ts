import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { createServer, type Plugin, type Rolldown } from 'vite'
import type { PrerenderedPage } from './prerender'

const web = fileURLToPath(new URL('..', import.meta.url))
const source = join(web, 'src')

/** In the places of what only the server knows; internal/webui puts it in. */
const told = {
  sandbox: true,
  version: 'first-version',
  social: 'https://social.invalid',
  chat: 'https://chat.invalid',
  feed: '',
  covers: ['0', '1', '2', '3', 'named'].map((which) => ({
    // A drawn page has `_` for what its address names.
    pack: which === 'named' ? '_' : which,
    address: `first-cover-${which}`,
    sources: `first-sources-${which}`,
  })),
}

/**
 * Writes beside index.html each page as it is before any data has come, in both languages, for who comes with a
 * session and without, with what of the build it needs: dist/first/{language}/{visitor,member}/{path}.html.gz.
 */
export const prerenderPlugin: Plugin = {
  name: 'prerender',
  apply: 'build',
  async writeBundle({ dir = 'dist' }, bundle) {
    const index = bundle['index.html']
    if (index?.type !== 'asset') throw new Error('the build has no index.html')
    const styles = Object.keys(bundle).filter((name) => name.endsWith('.css'))
    const needed = piecesOf(bundle, (id) => this.getModuleInfo(id)?.importedIds ?? [])
    for (const page of await drawn()) {
      const { path, language, session, html, prefetched } = page
      const needs = JSON.stringify({ calls: prefetched, pieces: needed(page).map((piece) => `/${piece}`) })
      const links = [
        ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
        // The first frame has all of the page but its sidebar: a part of it, drawn first, is drawn twice.
        '<link rel="expect" href="#drawn" blocking="render">',
        // boot.js asks for them.
        `<script type="application/json" id="needed">${needs}</script>`,
      ]
      const whole = String(index.source)
        .replace(/<html lang="[^"]*"/, `<html lang="${language === 'zh' ? 'zh-CN' : 'en'}"`)
        // boot.js starts the app instead.
        .replace(/ *<script .*?<\/script>\n| *<link rel="(?:modulepreload|stylesheet)".*?>\n/g, '')
        .replace('</head>', () => `  ${links.join('\n    ')}\n  </head>`)
        .replace('<div id="root">', () => `${sent(html)}\n    <script src="/boot.js"></script>\n    <div id="root">`)
      const file =
        join(dir, 'first', language, session ? 'member' : 'visitor', path === '/' ? 'index' : path) + '.html.gz'
      mkdirSync(dirname(file), { recursive: true })
      // As they are, they would be a twelfth of the program.
      writeFileSync(file, gzipSync(whole, { level: 9 }))
    }
  },
}

/**
 * The page as it is sent. Its sidebar, which is most of it, comes last, so that the first frame need not wait until the
 * browser has read it; the styles hold its room.
 */
function sent(html: string): string {
  const [sidebar = ''] = /<aside.*?<\/aside>/s.exec(html) ?? []
  const rest = html.replace(sidebar, () => '')
  // Hidden in name too: the app's sidebar stands beside it for a frame, and some browsers do not know `inert`.
  return `<div id="sent" inert aria-hidden="true">${rest}<i id="drawn"></i>${sidebar}</div>`
}

/** Draws the pages by the app's own code, in a server of Vite's, as only that knows how to read it. */
async function drawn(): Promise<readonly PrerenderedPage[]> {
  const { components } = JSON.parse(readFileSync(join(web, '../api/openapi.json'), 'utf8')) as {
    components: { schemas: { PageConfig: { examples: object[] } } }
  }
  const nothing = () => null
  const storage = { getItem: nothing, setItem: nothing, removeItem: nothing }
  const config = JSON.stringify({ ...components.schemas.PageConfig.examples[0], ...told })
  const browser = {
    window: globalThis,
    location: { origin: 'http://first.invalid' },
    localStorage: storage,
    sessionStorage: storage,
    matchMedia: () => ({ matches: false, addEventListener: nothing }),
    document: { getElementById: () => ({ textContent: config }), documentElement: {} },
  }
  Object.assign(globalThis, browser)
  const server = await createServer({
    root: web,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    resolve: { alias: { '@': source } },
  })
  try {
    return ((await server.ssrLoadModule('/tools/prerender.tsx')) as { prerenderedPages: PrerenderedPage[] })
      .prerenderedPages
  } finally {
    await server.close()
    for (const name of Object.keys(browser)) Reflect.deleteProperty(globalThis, name)
  }
}

/** Which files of the build a page cannot be drawn without: its code and its texts, each behind what it needs. */
function piecesOf(bundle: Rolldown.OutputBundle, importsOf: (id: string) => readonly string[]) {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const of = (module: string) => chunks.filter(({ facadeModuleId }) => facadeModuleId === join(source, module))
  /** Behind what it needs. */
  function withImports(chunk: Rolldown.OutputChunk, found: Set<Rolldown.OutputChunk>, seen = new Set(found)) {
    if (seen.has(chunk)) return
    seen.add(chunk)
    for (const name of chunk.imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') withImports(imported, found, seen)
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
    if (!route) throw new Error(`the table of pages has no code for ${name}`)
    const texts = [...modules(join(source, `app/${route}.tsx`))].flatMap(
      (id) => /\/src\/(.*\/texts\/(?:.*\/)?)index\.ts$/.exec(id)?.[1] ?? [],
    )
    const wanted = new Set<Rolldown.OutputChunk>()
    const parts = ['i18n/texts/', ...texts].map((folder) => `${folder}${language}.ts`)
    for (const chunk of [...parts, `app/${route}.tsx`].flatMap(of)) withImports(chunk, wanted)
    // Last, as it starts the app.
    for (const chunk of chunks.filter(({ isEntry }) => isEntry)) withImports(chunk, wanted)
    return [...wanted].map(({ fileName }) => fileName)
  }
}
