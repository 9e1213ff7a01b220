import { expect, type Page, test as base } from '@playwright/test'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const binary = process.env['KAIBAO_BINARY'] ?? fileURLToPath(new URL('../../../bin/kaibao', import.meta.url))

/** A server with its own port and data folder. */
export interface Server {
  url: string
  /** Folder of its database and keys. */
  data: string
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the server has no standard output')
  const lines = createInterface({ input: child.stdout })
  for await (const line of lines) return line
  throw new Error('the server exited without output')
}

/** Runs `kaibao audit`, which fails if the journeys broke an invariant of money or items. */
async function audit(data: string): Promise<void> {
  await promisify(execFile)(binary, ['audit', '--data', data])
}

export const sandbox = { KAIBAO_ADDR: '127.0.0.1:0', KAIBAO_PAYMENTS: 'sandbox', KAIBAO_RATE_LIMITS: 'off' }

/**
 * Runs a server with a temporary data folder and these environment variables, then audits it. With `heard`, it logs
 * everything there.
 */
export async function withServer(
  run: (server: Server) => Promise<void>,
  settings: Record<string, string> = sandbox,
  heard?: (log: string) => void,
): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'kaibao-e2e-'))
  const child = spawn(binary, ['serve', '--data', data, '--log-level', heard ? 'debug' : 'warn'], {
    stdio: ['ignore', 'pipe', heard ? 'pipe' : 'inherit'],
    env: { ...process.env, KAIBAO_OPS_ADDR: '127.0.0.1:0', ...settings },
  })
  const ended = once(child, 'exit')
  child.stderr?.on('data', (chunk: Buffer) => heard?.(chunk.toString()))
  try {
    const line = await Promise.race([firstLine(child), ended.then(() => 'the server exited at once')])
    const [, url] = /^listening on (https?:\/\/\S+)$/.exec(line) ?? []
    if (!url) throw new Error(`not a server address: ${line}`)
    child.stdout?.resume()
    await run({ url, data })
    await audit(data)
  } finally {
    child.kill('SIGTERM')
    await ended
    await rm(data, { recursive: true })
  }
}

/** Waits until the app responds. Before that, its controls keep the last press, and links load a new page. */
export async function expectReady(page: Page): Promise<void> {
  await expect(page.locator('[data-prerendered]')).toHaveCount(0)
}

/** Makes a wallet's user an admin, with the operator's command. */
export async function makeAdmin({ data }: Server, walletAddress: string): Promise<void> {
  await promisify(execFile)(binary, ['admin', 'grant', walletAddress, '--data', data])
}

/** Ends the public log and begins one with a new key, with the operator's commands. */
export async function replaceLogKey({ data }: Server): Promise<void> {
  await promisify(execFile)(binary, ['keys', 'add', 'log', '--data', data])
  await promisify(execFile)(binary, ['keys', 'rotate', 'log', '--data', data])
}

interface PerWorker {
  server: Server
  /**
   * Files with different names don't share a server. Set it to the file's name where journeys change packs or trade by
   * criteria, which would disturb other journeys.
   */
  ownServer: string
}

/** Playwright's test with a server per worker. Pages can be opened by path. */
export const test = base.extend<object, PerWorker>({
  ownServer: ['', { option: true, scope: 'worker' }],
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
    async ({}, provide) => {
      await withServer(provide)
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, provide) => {
    await provide(server.url)
  },
})

export { expect }
