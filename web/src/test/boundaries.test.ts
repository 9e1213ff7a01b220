import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, cpSync, writeFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const forbidden = [
  ['src/lib/fair/probe.ts', '@/lib/format'],
  ['src/lib/fair/probe.ts', '../format'],
  ['src/lib/fair/probe.ts', 'react'],
  ['src/lib/fair/probe.test.ts', '@/lib/format'],
  ['src/lib/probe.ts', '@/i18n'],
  ['src/lib/probe.ts', '@/app/router'],
  ['src/lib/contract/probe.ts', '../../features/catalogue/pack-card'],
  ['src/i18n/en/probe.ts', '@/api/packs'],
  ['src/i18n/probe.ts', '../domain/categories'],
  ['src/api/probe.ts', '@/ui/button'],
  ['src/ui/probe.tsx', '@/api/packs'],
  ['src/ui/probe.tsx', '@/domain/slab'],
  ['src/domain/probe.tsx', '@/features/catalogue/pack-card'],
  ['src/features/opening/probe.ts', '@/features/catalogue/pack-card'],
  ['src/features/opening/demo/probe.ts', '@/features/opening/seal'],
  ['src/features/opening/probe.ts', '../catalogue/pack-card'],
  ['src/features/opening/demo/probe.ts', '../../catalogue/pack-card'],
  ['src/features/opening/probe.ts', '@/app/router'],
  ['src/features/opening/probe.ts', '@/api/client'],
  ['src/app/probe.ts', '@/api/client'],
] as const
const allowed = [
  ['src/lib/fair/probe.ts', './bytes'],
  ['src/lib/probe.ts', './fair/bytes'],
  ['src/i18n/probe.ts', '@/lib/contract/error'],
  ['src/api/probe.ts', '@/i18n'],
  ['src/ui/probe.tsx', '@/lib/cn'],
  ['src/domain/probe.tsx', '@/ui/art'],
  ['src/domain/probe.tsx', '@/api/packs'],
  ['src/features/opening/probe.ts', './seal'],
  ['src/features/opening/demo/probe.ts', '../seal'],
  ['src/features/opening/probe.ts', '@/api/opens'],
  ['src/features/opening/probe.ts', '@/domain/slab'],
  ['src/app/probe.ts', '@/features/catalogue/pack-card'],
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
  for (const file of ['.oxlintrc.json', 'tools/lint/text-alone.mjs']) cpSync(file, join(folder, file))
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
  refused = reported('eslint(no-restricted-imports)')
  const broken = reported('kaibao(text-alone)')
  translatable = new Map(snippets.map((snippet, i) => [snippet, !broken.has(`src/snippet-${i}.tsx`)]))
})
afterAll(() => rmSync(folder, { recursive: true }))

// probeOf is the file of its own that stands for a path which imports something.
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
