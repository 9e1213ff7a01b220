import { describe, expect, it } from 'vitest'
import { concat, utf8 } from './bytes'
import { type ManifestFault, ManifestError, parseManifest } from './manifest'

const good = `kaibao-manifest/v1
pack 2
name 宝可梦 Pokemon
price 2500
items 1
tier 0 0 0 rest
card zz 99 -1
tier 298 500 1500 $5 - 15
card pkm-001 650 -1
card pkm-007 1200 1
tier 392 1500 0 $15+
`

function faultOf(text: string | Uint8Array<ArrayBuffer>): [ManifestFault, number] | null {
  try {
    parseManifest(typeof text === 'string' ? utf8(text) : text)
    return null
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error
    return [error.fault, error.line]
  }
}

const changed = (from: string, to: string) => {
  expect(good).toContain(from)
  return good.replace(from, to)
}

it('parses what the grammar allows', () => {
  const manifest = parseManifest(utf8(good))
  expect(manifest).toMatchObject({
    pack: '2',
    name: '宝可梦 Pokemon',
    priceCents: 2500,
    items: 1,
    weightSum: 690n,
  })
  expect(manifest.tiers.map(({ label, cards }) => [label, cards.length])).toEqual([
    ['rest', 1],
    ['$5 - 15', 2],
    ['$15+', 0],
  ])
  expect(manifest.tiers[1]?.cards[1]).toEqual({ id: 'pkm-007', valueCents: 1200, stock: 1n })
})

it('keeps weights exact beyond what a double holds', () => {
  const manifest = parseManifest(utf8(changed('tier 298', 'tier 9007199254740993')))
  expect(manifest.weightSum).toBe(9007199254741385n)
})

describe('rejects', () => {
  it.each<[string, string, string, ManifestFault, number]>([
    ['another version', 'manifest/v1', 'manifest/v3', 'line', 1],
    ['version 2 without its lines', 'manifest/v1', 'manifest/v2', 'line', 6],
    ['a missing line', 'price 2500\n', '', 'line', 4],
    ['an extra line', 'price 2500\n', 'price 2500\nprice 2500\n', 'line', 5],
    ['lines in another order', 'price 2500\nitems 1\n', 'items 1\nprice 2500\n', 'line', 4],
    ['a carriage return', 'pack 2\n', 'pack 2\r\n', 'encoding', 2],
    ['a tab', 'price 2500', 'price\t2500', 'encoding', 4],
    ['a control character in a label', '$15+', '$15\u0085', 'encoding', 11],
    ['a leading zero', 'price 2500', 'price 02500', 'number', 4],
    ['a sign', 'price 2500', 'price +2500', 'number', 4],
    ['a negative price', 'price 2500', 'price -1', 'number', 4],
    ['a fraction', 'price 2500', 'price 25.00', 'number', 4],
    ['other digits', 'price 2500', 'price ２５', 'number', 4],
    ['an amount beyond the safe integers', 'price 2500', 'price 9007199254740992', 'number', 4],
    ['too many items', 'items 1', 'items 1001', 'number', 5],
    ['no items', 'items 1', 'items 0', 'number', 5],
    ['two spaces', 'price 2500', 'price  2500', 'line', 4],
    ['a space at the end', 'price 2500', 'price 2500 ', 'line', 4],
    ['capitals in an id', 'pkm-001', 'PKM-001', 'line', 9],
    ['an id of 65 characters', 'pkm-001', 'x'.repeat(65), 'line', 9],
    ['a tier without a label', ' $15+', '', 'line', 11],
    ['an empty name', 'name 宝可梦 Pokemon', 'name ', 'line', 3],
    ['a value below the band', 'pkm-001 650', 'pkm-001 499', 'value', 9],
    ['a value at the upper bound', 'pkm-001 650', 'pkm-001 1500', 'value', 9],
    ['swapped bounds', '500 1500', '1500 500', 'number', 8],
    ['stock below -1', '650 -1', '650 -2', 'number', 9],
    ['cards out of order', 'pkm-007', 'pkm-000', 'order', 10],
    ['the same id twice in a tier', 'pkm-007', 'pkm-001', 'order', 10],
    ['the same id in two tiers', 'card zz 99', 'card pkm-001 99', 'order', 11],
    ['a blank line', 'pack 2\n', 'pack 2\n\n', 'line', 3],
    ['a blank line at the end', '$15+\n', '$15+\n\n', 'line', 12],
    ['weights beyond 64 bits', 'tier 298', 'tier 18446744073709551615', 'weights', 11],
  ])('%s', (_, from, to, fault, line) => {
    expect(faultOf(changed(from, to))).toEqual([fault, line])
  })

  it('a last line without a line break', () => {
    expect(faultOf(good.slice(0, -1))?.[0]).toBe('encoding')
  })

  it('a manifest without tiers or without weights', () => {
    const head = good.slice(0, good.indexOf('tier'))
    expect(faultOf(head)?.[0]).toBe('weights')
    expect(faultOf(`${head}tier 0 0 0 rest\n`)?.[0]).toBe('weights')
  })

  it('instant opens of a sealed pack with limited cards', () => {
    const sealed = good
      .replace('/v1', '/v2')
      .replace('items 1\n', `items 1\nbeacon ${'5a'.repeat(32)}\nlead 30\ninstant yes\n`)
    expect(faultOf(sealed)?.[0]).toBe('instant')
    expect(parseManifest(utf8(sealed.replace('1200 1', '1200 -1'))).sealing).toEqual({
      beacon: '5a'.repeat(32),
      lead: 30,
      instant: true,
    })
    expect(parseManifest(utf8(sealed.replace('instant yes', 'instant no'))).sealing?.instant).toBe(false)
    expect(parseManifest(utf8(good)).sealing).toBeNull()
  })

  it('a byte order mark, invalid UTF-8, and an empty file', () => {
    expect(faultOf(`\uFEFF${good}`)?.[0]).toBe('line')
    expect(faultOf(concat(utf8(good.slice(0, 30)), Uint8Array.of(0xff), utf8(good.slice(30))))?.[0]).toBe('encoding')
    expect(faultOf('')?.[0]).toBe('encoding')
  })
})
