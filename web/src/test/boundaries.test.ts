import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, cpSync, writeFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// Probe files are linted in a folder of their own, with the project's own rules.
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaibao-boundaries-'))
  cpSync('.oxlintrc.json', join(folder, '.oxlintrc.json'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function lint(path: string, imported: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `import { probe } from '${imported}'\n\nprobe()\n`)
  try {
    return execFileSync(join(process.cwd(), 'node_modules/.bin/oxlint'), [path], { cwd: folder, encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

describe('who may import whom', () => {
  it.each([
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
  ])('%s may not import %s', (file, imported) => {
    expect(lint(file, imported)).toContain('no-restricted-imports')
  })

  it.each([
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
  ])('%s may import %s', (file, imported) => {
    expect(lint(file, imported)).not.toContain('no-restricted-imports')
  })
})
