import { expect, it } from 'vitest'
import { parseBid } from './bid'

// The same text as in internal/protocol/bid_test.go.
const text =
  'kaibao-bid/v1\nid 0190-d\nscope grade=90&series=Pok%C3%A9mon\npeg 95\nmost 1000\nquantity 3\nleft 2\n' +
  'expires 2026-02-01T03:04:05.678Z\ntime 2026-01-02T03:04:05.678Z\n'

it('reads a bid', () => {
  expect(parseBid(text)).toEqual({
    id: '0190-d',
    scope: 'grade=90&series=Pok%C3%A9mon',
    peg: 95,
    mostCents: 1000,
    quantity: 3,
    left: 2,
    expires: '2026-02-01T03:04:05.678Z',
    time: '2026-01-02T03:04:05.678Z',
  })
})

it.each([
  ['bid/v1', 'bid/v2'],
  ['id 0190-d', 'id 0190_d'],
  ['scope grade=90&series=Pok%C3%A9mon', 'scope '],
  ['peg 95', 'peg 121'],
  ['most 1000', 'most 0'],
  ['most 1000', 'most 1e3'],
  ['quantity 3', 'quantity 0'],
  ['left 2', 'left 4'],
  ['expires 2026-02-01', 'expires 2026-01-01'],
  ['5.678Z\ntime', '5.678Z\nstate open\ntime'],
  ['time 2026-01-02T03:04:05.678Z\n', 'time 2026-01-02T03:04:05.678Z'],
])('rejects %j changed to %j', (honest, changed) => {
  expect(text).toContain(honest)
  expect(parseBid(text.replace(honest, changed))).toBeNull()
})
