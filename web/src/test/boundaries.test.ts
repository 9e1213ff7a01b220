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
    ['src/features/opening/probe.ts', '@/features/catalogue/pack-card'],
    ['src/features/opening/api/probe.ts', '@/features/opening/seal'],
    ['src/features/opening/probe.ts', '../catalogue/pack-card'],
    ['src/features/opening/api/probe.ts', '../../catalogue/pack-card'],
    ['src/features/opening/probe.ts', '@/app/router'],
    ['src/ui/probe.tsx', '@/features/catalogue/pack-card'],
    ['src/lib/probe.ts', '@/app/router'],
    ['src/lib/api/probe.ts', '../../features/catalogue/pack-card'],
    ['src/i18n/en/probe.ts', '@/features/catalogue/pack-card'],
  ])('%s may not import %s', (file, imported) => {
    expect(lint(file, imported)).toContain('no-restricted-imports')
  })

  it.each([
    ['src/features/opening/probe.ts', './seal'],
    ['src/features/opening/api/probe.ts', '../seal'],
    ['src/features/opening/probe.ts', '@/lib/format'],
    ['src/app/probe.ts', '@/features/catalogue/pack-card'],
    ['src/ui/probe.tsx', '@/lib/cn'],
  ])('%s may import %s', (file, imported) => {
    expect(lint(file, imported)).not.toContain('no-restricted-imports')
  })
})
