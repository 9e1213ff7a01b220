import type { BrowserContext, Page } from '@playwright/test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { base58 } from '../../src/features/auth/wallets/base58'

/** What a text would contain if these bytes were in it: raw, or in a usual encoding. One character is one byte. */
export function encodingsOf(bytes: Buffer): string[] {
  const hex = bytes.toString('hex')
  return [
    bytes.toString('latin1'),
    bytes.toString('utf16le'),
    hex,
    hex.toUpperCase(),
    ...[0, 1, 2].flatMap((before) => base64Within(bytes, before)),
    base58(bytes),
    [...bytes].join(','),
    [...bytes].join(', '),
    JSON.stringify({ ...bytes }).slice(1, -1),
  ]
}

/** The characters that bytes have in the Base64 of something longer, which depend on the number of bytes before them. */
function base64Within(bytes: Buffer, before: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  // The first and last characters also encode bits of their neighbors.
  const own = encoded.slice(Math.ceil((before * 4) / 3), -1)
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
}

/** Collects what a context's pages send, receive and print; `texts` waits for the bodies. One character is one byte. */
export function recordTraffic(context: BrowserContext): { texts: () => Promise<string> } {
  const parts: Promise<string>[] = []
  const add = (text: string) => parts.push(Promise.resolve(text))
  context.on('console', (message) => add(message.text()))
  context.on('weberror', (error) => add(String(error.error().stack)))
  context.on('request', (request) => {
    add(`${request.url()}\n${JSON.stringify(request.headers())}\n${request.postDataBuffer()?.toString('latin1') ?? ''}`)
  })
  context.on('response', (response) => {
    const headers = response.headers()
    add(JSON.stringify(headers))
    // The feed doesn't end. Pages that have been left don't return what they received.
    if (headers['content-type']?.startsWith('text/event-stream')) return
    parts.push(
      response.body().then(
        (body) => body.toString('latin1'),
        () => '',
      ),
    )
  })
  return { texts: async () => (await Promise.all(parts)).join('\n') }
}

/** Everything that a page's origin stores, with contents. One character is one byte. */
export async function dumpStorage(page: Page): Promise<string> {
  const cookies = JSON.stringify(await page.context().cookies())
  const stored = await page.evaluate(async () => {
    const parts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })]
    const textOf = (bytes: Uint8Array) => [...bytes].map((byte) => String.fromCharCode(byte)).join('')
    function describe(value: unknown): string {
      if (value instanceof ArrayBuffer) return textOf(new Uint8Array(value))
      if (ArrayBuffer.isView(value)) return textOf(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
      if (value instanceof CryptoKey) return `a CryptoKey that can be used: ${value.type}`
      if (typeof value !== 'object' || value === null) return String(value)
      return Object.entries(value)
        .map(([name, part]) => `${name}: ${describe(part)}`)
        .join('\n')
    }
    const result = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(new Error(`IndexedDB: ${request.error?.message}`)))
      })
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await result(indexedDB.open(name))
      parts.push(name)
      for (const store of database.objectStoreNames) {
        const content = database.transaction(store).objectStore(store)
        const [keys, values] = await Promise.all([result(content.getAllKeys()), result(content.getAll())])
        parts.push(store, describe(keys), describe(values))
      }
      database.close()
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      parts.push(name)
      for (const request of await cache.keys()) {
        const response = await cache.match(request)
        parts.push(request.url, describe(await response?.arrayBuffer()))
      }
    }
    return parts.join('\n')
  })
  return `${cookies}\n${stored}`
}

/** The bytes of all files in a server's data folder, its database among them. */
export const dumpFiles = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'))
    .join('\n')
