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
  ['src/components/probe.tsx', '@/api/client'],
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

/** Code that a rule reports, and similar code that it doesn't. */
const rules = {
  'kaibao(text-alone)': {
    reported: [
      '<p>{busy && <b />}{t.buy}</p>',
      '<p><b />{t.buy}</p>',
      '<p>{t.price}: {dollars(cents)}</p>',
      '<>{sold ? t.sold : <b />}<b /></>',
      '<p>{`${cents}`}{more?.length}</p>',
    ],
    allowed: [
      '<p>{busy && <b />}<span>{t.buy}</span></p>',
      '<p>{sold ? t.sold : t.buy}</p>',
      "<p><b />{' '}<b /></p>",
      '<p>{children}<b /></p>',
      '<ul><b />{more.map((one) => <b key={one} />)}</ul>',
    ],
  },
  'kaibao(number-input)': {
    reported: ['<input type="number" />', '<Input inputMode="decimal" />', '<Input inputMode={"decimal"} />'],
    allowed: ['<input type="text" />', '<Input inputMode="numeric" />'],
  },
  'kaibao(restricted-strings)': {
    reported: [
      '<p className="eyebrow uppercase" />',
      '<p className="first-letter:uppercase" />',
      "cn('capitalize', `sm:lowercase ${more}`)",
      '<p className="[font-variant:small-caps]" />',
      "'您好'",
    ],
    allowed: ['name.toUpperCase()', 'uppercased(name)', "'你好'"],
  },
  'react(jsx-no-literals)': {
    reported: ['<p>Sold out</p>', '<p>售罄</p>', '<button aria-label="Close" />', '<img alt="A pack" />'],
    allowed: ['<p>{t.soldOut}</p>', '<Dialog label={t.close} />', '<p> · </p>', '<img alt="" />'],
  },
  'eslint(no-restricted-globals)': {
    reported: [
      "fetch('/api/packs')",
      'new Intl.NumberFormat()',
      "parseFloat('1.5')",
      'localStorage',
      "new BroadcastChannel('')",
    ],
    allowed: ['refetch()', "parseNumber('1.5')"],
  },
  'eslint(no-restricted-properties)': {
    reported: [
      "globalThis.fetch('/api/packs')",
      'price.toLocaleString()',
      'price.toExponential(1)',
      'event.target.valueAsNumber',
      "Number.parseFloat('1.5')",
      'URL.canParse(text)',
      'AbortSignal.any([])',
    ],
    allowed: ['price.toFixed(2)', 'new URL(text)', 'AbortSignal.timeout(1)', 'JSON.parse(text)'],
  },
} as const

const snippets = Object.entries(rules).flatMap(([rule, { reported, allowed: fine }]) => [
  ...reported.map((code) => ({ rule, code, isReported: true })),
  ...fine.map((code) => ({ rule, code, isReported: false })),
])

// All probes are linted in one run, in a temporary folder with the project's rules: starting the linter takes half a
// second.
let folder: string
let reports: Map<string, Set<string>>

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaibao-lint-'))
  for (const file of ['.oxlintrc.json', 'tools/lint']) cpSync(file, join(folder, file), { recursive: true })
  for (const [path, imported] of [...forbidden, ...allowed]) {
    write(probeOf(path, imported), `import { probe } from '${imported}'\n\nprobe()\n`)
  }
  for (const [i, { code }] of snippets.entries()) write(snippetOf(i), `export const snippet = ${code}\n`)
  write('src/lib/cycle.ts', "import type { B } from './cycle-end'\n\nexport type A = B | string\n")
  write('src/lib/cycle-end.ts', "import type { A } from './cycle'\n\nexport type B = A[]\n")
  reports = new Map()
  for (const { code, filename } of lint().diagnostics) {
    reports.set(code, (reports.get(code) ?? new Set()).add(filename))
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string) {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

// probeOf returns a separate file name for each import of a path.
function probeOf(path: string, imported: string): string {
  return path.replace('probe', `probe-${imported.replaceAll(/\W/g, '-')}`)
}

const snippetOf = (index: number) => `src/snippet-${index}.tsx`

function lint(): { diagnostics: { code: string; filename: string }[] } {
  const run = spawnSync(join(process.cwd(), 'node_modules/.bin/oxlint'), ['--format=json', 'src'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return JSON.parse(run.stdout) as ReturnType<typeof lint>
}

describe('imports between layers', () => {
  const isReported = (path: string, imported: string) =>
    ['eslint(no-restricted-imports)', 'kaibao(no-test-code)'].some((rule) =>
      reports.get(rule)?.has(probeOf(path, imported)),
    )

  it.each(forbidden)('%s may not import %s', (path, imported) => {
    expect(isReported(path, imported)).toBe(true)
  })

  it.each(allowed)('%s may import %s', (path, imported) => {
    expect(isReported(path, imported)).toBe(false)
  })
})

it('import(no-cycle) reports files that import each other, including type imports', () => {
  expect(reports.get('import(no-cycle)')).toContain('src/lib/cycle.ts')
})

it.each(snippets.map((snippet, index) => ({ ...snippet, file: snippetOf(index) })))(
  '$rule, $code: $isReported',
  ({ rule, file, isReported }) => {
    expect(reports.get(rule)?.has(file) ?? false).toBe(isReported)
  },
)
