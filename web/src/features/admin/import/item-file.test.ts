import { expect, test } from 'vitest'
import { readItemFile } from './item-file'

const text = '\uFEFFid;name\na;皮卡丘\n'

function utf16(littleEndian: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian)
  return new Uint8Array(view.buffer)
}

test.each([
  ['UTF-8', new TextEncoder().encode(text)],
  ['UTF-16, little endian', utf16(true)],
  ['UTF-16, big endian', utf16(false)],
])('%s is read', async (_, bytes) => {
  const file = await readItemFile(new File([bytes], 'items.CSV'))
  const utf8 = await readItemFile(new File([new TextEncoder().encode(text)], 'items.CSV'))
  expect(file).toEqual(utf8)
  expect(file).toMatchObject({ format: 'csv', text })
})

/** The same rows as in internal/catalogue/importer/encoding_test.go. */
const rows = [
  'id;series;name\r\na;\xb1\xa6;"2021 \xc6\xa4\xbf\xa8\xc7\xf0"\r\nb;Set;2021 Ann\r\nc;Set;\xc5\xe7\xbb\xf0\xc1\xfa\r\n',
  'd;Set;\xc1\x7c\r\ne;Set;\xb1\xa6',
].join('')

function chineseFile(): File {
  return new File([Uint8Array.from(rows, (byte) => byte.charCodeAt(0))], 'items.csv')
}

test('unknown encodings are shown, not guessed', async () => {
  expect(await readItemFile(chineseFile())).toMatchObject({
    samples: { gb18030: ['2021 皮卡丘', '喷火龙', '羭'], 'windows-1252': ['2021 Æ¤¿¨Çð', 'Åç»ðÁú', 'Á|'] },
  })
})

test('a chosen encoding is used', async () => {
  const file = await readItemFile(chineseFile(), 'gb18030')
  expect(file).toMatchObject({ format: 'csv', text: expect.stringContaining('c;Set;喷火龙\r\n') as string })
  expect(await readItemFile(new File([new Uint8Array([0x61, 0xff])], 'items.csv'), 'gb18030')).toMatchObject({
    text: 'a\ufffd',
  })
})

test('a byte order mark decides the encoding', async () => {
  expect(await readItemFile(new File([new Uint8Array([0xef, 0xbb, 0xbf, 0xe9])], 'items.csv'))).toBe('notText')
})
