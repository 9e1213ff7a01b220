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

test('other encodings are not guessed', async () => {
  expect(await readItemFile(new File([new Uint8Array([0x50, 0xe9])], 'items.csv'))).toBe('notText')
})
