import type { ItemFile } from '@/api/catalogue'

/** Why a file cannot be read, by the name of its text. */
export type Unreadable = 'wrongType' | 'notText'

/** Reads a file as it is, its byte order mark included. */
export async function readItemFile(file: File): Promise<ItemFile | Unreadable> {
  const [, format] = /\.(csv|json)$/i.exec(file.name) ?? []
  if (!format) return 'wrongType'
  const bytes = await file.arrayBuffer()
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { name: file.name, format: format.toLowerCase() as ItemFile['format'], text, digest: await digestOf(bytes) }
  } catch {
    return 'notText'
  }
}

async function digestOf(bytes: ArrayBuffer): Promise<string> {
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(sum, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
