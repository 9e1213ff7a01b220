import type { ItemFile } from '@/api/catalogue'

/** Why a file cannot be read, by the name of its text. */
export type Unreadable = 'wrongType' | 'notText'

/** The encoding that a byte order mark names. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** Reads a file as it is, its byte order mark included. The digest is of its text as UTF-8, as the server gets it. */
export async function readItemFile(file: File): Promise<ItemFile | Unreadable> {
  const [, format] = /\.(csv|json)$/i.exec(file.name) ?? []
  if (!format) return 'wrongType'
  const bytes = new Uint8Array(await file.arrayBuffer())
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true, ignoreBOM: true }).decode(bytes)
    const digest = await digestOf(new TextEncoder().encode(text))
    return { name: file.name, format: format.toLowerCase() as ItemFile['format'], text, digest }
  } catch {
    return 'notText'
  }
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(sum, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
