import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, cpSync, writeFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const forbidden = [
  ['src/lib/protocol/probe.ts', '@/lib/format'],
  ['src/lib/protocol/probe.ts', '../format'],
  ['src/lib/protocol/probe.ts', 'react'],
  ['src/lib/protocol/probe.test.ts', '@/lib/format'],
  ['src/contract/probe.ts', '@/i18n'],
  ['src/contract/probe.ts', '../features/store/pack-card'],
  ['src/lib/probe.ts', '@/i18n'],
  ['src/lib/probe.ts', '@/app/router'],
  ['src/i18n/en/probe.ts', '@/api/packs'],
  ['src/i18n/probe.ts', '../components/categories'],
  ['src/api/probe.ts', '@/components/ui/button'],
  ['src/components/ui/probe.tsx', '@/api/packs'],
  ['src/components/ui/probe.tsx', '@/components/slab'],
  ['src/components/ui/probe.tsx', '../slab'],
  ['src/components/ui/form/probe.tsx', '../../slab'],
  ['src/components/probe.tsx', '@/features/store/pack-card'],
  ['src/features/opening/probe.ts', '@/features/store/pack-card'],
  ['src/features/opening/demo/probe.ts', '@/features/opening/result-lock'],
  ['src/features/opening/probe.ts', '../store/pack-card'],
  ['src/features/opening/demo/probe.ts', '../../store/pack-card'],
  ['src/features/opening/probe.ts', '@/app/router'],
  ['src/features/opening/probe.ts', '@/api/client'],
  ['src/app/probe.ts', '@/api/client'],
  ['src/features/opening/probe.ts', '@test/data'],
] as const
const allowed = [
  ['src/lib/protocol/probe.ts', './bytes'],
  ['src/lib/protocol/probe.test.ts', '@test/fixtures/protocol'],
  ['src/lib/probe.ts', './protocol/bytes'],
  ['src/lib/probe.ts', '@/contract/error'],
  ['src/i18n/probe.ts', '@/contract/error'],
  ['src/api/probe.ts', '@/i18n'],
  ['src/components/ui/probe.tsx', '@/lib/cn'],
  ['src/components/ui/probe.tsx', '@/components/ui/button'],
  ['src/components/ui/form/probe.tsx', '../button'],
  ['src/components/probe.tsx', '@/components/ui/art'],
  ['src/components/probe.tsx', '@/api/packs'],
  ['src/features/opening/probe.ts', './seal'],
  ['src/features/opening/demo/probe.ts', '../seal'],
  ['src/features/opening/probe.ts', '@/api/opens'],
  ['src/features/opening/probe.ts', '@/components/slab'],
  ['src/features/opening/probe.test.ts', '@test/data'],
  ['src/app/probe.ts', '@/features/store/pack-card'],
] as const

// Probe files are linted in a folder of their own, with the project's own rules, and all at
// once: to start the linter takes half a second.
let folder: string
let refused: Set<string>
let translatable: Map<string, boolean>

const breaksWhenTranslated = [
  '<p>{busy && <b />}{t.buy}</p>',
  '<p><b />Buy</p>',
  '<p>{t.price}: {dollars(cents)}</p>',
  '<>{sold ? t.sold : <b />}<b /></>',
  '<p>{`${cents}`}{more?.length}</p>',
]
const survivesTranslation = [
  '<p>{busy && <b />}<span>{t.buy}</span></p>',
  '<p>{sold ? t.sold : t.buy}</p>',
  "<p><b />{' '}<b /></p>",
  '<p>{children}<b /></p>',
  '<ul><b />{more.map((one) => <b key={one} />)}</ul>',
]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaibao-boundaries-'))
  for (const file of ['.oxlintrc.json', 'tools/lint']) cpSync(file, join(folder, file), { recursive: true })
  for (const [path, imported] of [...forbidden, ...allowed]) {
    const file = join(folder, probeOf(path, imported))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `import { probe } from '${imported}'\n\nprobe()\n`)
  }
  const snippets = [...breaksWhenTranslated, ...survivesTranslation]
  for (const [i, snippet] of snippets.entries()) {
    writeFileSync(join(folder, `src/snippet-${i}.tsx`), `export const snippet = ${snippet}\n`)
  }
  const { diagnostics } = lint()
  const reported = (rule: string) =>
    new Set(diagnostics.filter(({ code }) => code === rule).map(({ filename }) => filename))
  refused = new Set([...reported('eslint(no-restricted-imports)'), ...reported('kaibao(no-test-code)')])
  const broken = reported('kaibao(text-alone)')
  translatable = new Map(snippets.map((snippet, i) => [snippet, !broken.has(`src/snippet-${i}.tsx`)]))
})
afterAll(() => rmSync(folder, { recursive: true }))

// probeOf returns a separate file name for each import of a path.
function probeOf(path: string, imported: string): string {
  return path.replace('probe', `probe-${imported.replaceAll(/\W/g, '-')}`)
}

function lint(): { diagnostics: { code: string; filename: string }[] } {
  const run = spawnSync(join(process.cwd(), 'node_modules/.bin/oxlint'), ['--format=json', 'src'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return JSON.parse(run.stdout) as ReturnType<typeof lint>
}

describe('who may import whom', () => {
  it.each(forbidden)('%s may not import %s', (path, imported) => {
    expect(refused).toContain(probeOf(path, imported))
  })

  it.each(allowed)('%s may import %s', (path, imported) => {
    expect(refused).not.toContain(probeOf(path, imported))
  })
})

describe('text stands alone in its element, so that a browser can translate the page', () => {
  it.each(breaksWhenTranslated)('%s is refused', (snippet) => {
    expect(translatable.get(snippet)).toBe(false)
  })

  it.each(survivesTranslation)('%s is allowed', (snippet) => {
    expect(translatable.get(snippet)).toBe(true)
  })
})
