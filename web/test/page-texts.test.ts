import { join } from 'node:path'
import { Visitor } from 'vite'
import { expect, it } from 'vitest'
import { type Page, pages } from '@/app/pages'
import { fileOf, importsOf, parse } from './source'

// A component whose texts aren't loaded suspends, and with it the whole page: it flickers, and its pre-rendered page is
// empty. So each page in app/pages.ts lists the texts of everything it imports, apart from lazily loaded parts.

const modules = import.meta.glob<Record<string, unknown>>('/src/**/texts/index.ts', { eager: true })

/** The files that declare these texts. */
function filesOf(texts: Page['texts'] = []): string[] {
  return Object.entries(modules)
    .filter(([, module]) => texts.some((one) => Object.values(module).includes(one)))
    .map(([path]) => join('.', path))
}

/** The files of texts that a file imports, directly or through others. */
function textsOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  if (file.endsWith('/texts/index.ts')) return [file]
  return importsOf(file).static.flatMap((imported) => textsOf(imported, seen))
}

/** The file of each page, from its `component: lazyRouteComponent(() => import('./routes/…'), …)`. */
const routes = new Map<string, string>()
const table = join('src', 'app', 'pages.ts')
new Visitor({
  Property({ key: name, value: page }) {
    if (name.type !== 'Identifier' || page.type !== 'ObjectExpression') return
    for (const property of page.properties) {
      if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
      if (property.key.name !== 'component' || property.value.type !== 'CallExpression') continue
      const [load] = property.value.arguments
      if (load?.type !== 'ArrowFunctionExpression' || load.body.type !== 'ImportExpression') continue
      const { source } = load.body
      if (source.type === 'Literal') routes.set(name.name, fileOf(table, String(source.value)) ?? '')
    }
  },
}).visit(parse(table).program)

it('finds every page', () => {
  expect([...routes.keys()]).toEqual(Object.keys(pages))
  expect(textsOf('src/app/routes/vault.tsx')).toContain('src/features/sellback/texts/index.ts')
  expect(filesOf(pages.myOpens.texts)).toEqual(['src/features/inventory/texts/index.ts'])
})

it.each(Object.entries<Page>(pages))('the page %s lists the texts it imports', (name, { texts }) => {
  const listed = filesOf(texts)
  expect(textsOf(routes.get(name) ?? '').filter((file) => !listed.includes(file))).toEqual([])
})
