import { beforeAll, expect, it } from 'vitest'
import { honestOpen, leafText } from '@test/fixtures/protocol'
import { parseOpenLeaf } from './leaf'

let good: string

beforeAll(async () => {
  good = leafText((await honestOpen()).claim)
})

it('parses every field', () => {
  expect(parseOpenLeaf(good)).toMatchObject({
    nonce: 12n,
    pack: 'demo-pack-1',
    draw: 0n,
    clientSeed: 'f00d'.repeat(16),
    priceCents: 2500,
    time: '2026-01-02T03:04:05.678Z',
    next: 'ab'.repeat(32),
  })
  expect(parseOpenLeaf(good)?.items).toHaveLength(3)
})

it.each([
  ['another version', 'kaibao-open/v1', 'kaibao-open/v2'],
  ['a line in another place', 'price 2500\ntime', 'time 2500\nprice'],
  ['a missing line', 'draw 0\n', ''],
  ['an extra line', 'draw 0\n', 'draw 0\ndraw 0\n'],
  ['a leading zero', 'nonce 12', 'nonce 012'],
  ['capital hex', 'next ab', 'next AB'],
  ['short hex', 'next ab', 'next '],
  ['a time without milliseconds', '.678Z', 'Z'],
  ['a time not in UTC', '678Z', '678+08:00'],
  ['a day that does not exist', '2026-01-02', '2026-02-30'],
  ['base64 with a stray bit', 'clientSeed ', 'clientSeed ='],
  ['an item without a value', 'items ', 'items c-0 '],
  ['an item with two values', 'items ', 'items c-0:1:1 '],
  ['two spaces between items', 'items ', 'items  '],
  ['a last line without a line break', /\n$/, ''],
  ['a blank line at the end', /\n$/, '\n\n'],
])('rejects %s', (_, from, to) => {
  const changed = good.replace(from, to)
  expect(changed).not.toBe(good)
  expect(parseOpenLeaf(changed)).toBeNull()
})
