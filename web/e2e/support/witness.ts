import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { binary, type Server } from './server'

/** Runs a witness, and makes it the only one of a server's log. Gives its verifier key. */
export async function withWitness({ url, data }: Server, run: (verifierKey: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kaibao-witness-'))
  const logKey = (await (await fetch(`${url}/log/key`)).text()).trim()
  const settings = ['--data', folder, '--log', logKey, '--listen', '127.0.0.1:0', '--name', 'witness.test/1']
  const child = spawn(binary, ['witness', ...settings], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  try {
    const [key = '', address = ''] = await firstLines(child, 2)
    const verifierKey = key.replace('witness ', '')
    const file = join(folder, 'witnesses.txt')
    await writeFile(file, `quorum 1\nwitness ${verifierKey} ${address.replace('listening on ', '')}\n`)
    await promisify(execFile)(binary, ['witnesses', 'set', file, '--data', data])
    await run(verifierKey)
  } finally {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true })
  }
}

async function firstLines({ stdout }: ChildProcess, count: number): Promise<string[]> {
  const lines: string[] = []
  if (!stdout) return lines
  for await (const line of createInterface({ input: stdout })) {
    lines.push(line)
    if (lines.length === count) break
  }
  stdout.resume()
  return lines
}
