import type { ItemFile } from '@/api/admin-catalogue'

/** Why a file can't be read; also the key of its text. */
export type Unreadable = 'wrongType' | 'notText'

/** Encodings to choose from if a file has no byte order mark and isn't UTF-8. */
export const encodings = ['gb18030', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

/** A file whose encoding the admin has to choose, with sample cells in each encoding. */
export interface UnknownEncoding {
  file: File
  samples: Readonly<Record<Encoding, readonly string[]>>
}

function byteOrderMark([first, second, third]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined
}

/**
 * Reads a file, including its byte order mark. The digest covers the text as UTF-8, as sent to the server.
 * Bytes that are invalid in the chosen encoding become U+FFFD, which the server rejects.
 */
export async function readItemFile(file: File, encoding?: Encoding): Promise<ItemFile | UnknownEncoding | Unreadable> {
  const [, format] = /\.(csv|json)$/i.exec(file.name) ?? []
  if (!format) return 'wrongType'
  const bytes = new Uint8Array(await file.arrayBuffer())
  const mark = byteOrderMark(bytes)
  try {
    const decoder = new TextDecoder(encoding ?? mark ?? 'utf-8', { fatal: encoding === undefined, ignoreBOM: true })
    const text = decoder.decode(bytes)
    const digest = await digestOf(new TextEncoder().encode(text))
    return { name: file.name, format: format.toLowerCase() as ItemFile['format'], text, digest }
  } catch {
    return mark ? 'notText' : { file, samples: samplesOf(bytes) }
  }
}

/** The longest non-ASCII cell of each of the first three rows that have one. */
function samplesOf(bytes: Uint8Array): UnknownEncoding['samples'] {
  const cells: Uint8Array[] = []
  for (let at = bytes.findIndex((byte) => byte > 0x7f); at >= 0 && cells.length < 3;) {
    const end = bytes.indexOf(0x0a, at)
    cells.push(longestCell(bytes.subarray(bytes.lastIndexOf(0x0a, at) + 1, end < 0 ? bytes.length : end)))
    at = end < 0 ? -1 : bytes.findIndex((byte, n) => n > end && byte > 0x7f)
  }
  const read = (encoding: Encoding) => cells.map((cell) => new TextDecoder(encoding).decode(cell).slice(0, 60))
  return { gb18030: read('gb18030'), 'windows-1252': read('windows-1252') }
}

/** The longest non-ASCII cell of a row. Windows-1252 has one character per byte, so indexes match. */
function longestCell(row: Uint8Array): Uint8Array {
  let longest = row.subarray(0, 0)
  for (const { index, 0: cell } of new TextDecoder('windows-1252').decode(row).matchAll(/[^,;\t"\r]+/g)) {
    if (cell.length > longest.length && /[\u0080-\uffff]/.test(cell)) longest = row.subarray(index, index + cell.length)
  }
  return longest
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(sum, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
