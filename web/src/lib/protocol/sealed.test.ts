import { expect, it } from 'vitest'
// The server's tests read the same file.
import { leaves } from '../../../../internal/protocol/testdata/leaves.json'
import { quicknet } from './beacon'
import { parseOrderLeaf, parseRoundLeaf, parseSealedOpenLeaf, parseVoidLeaf, timeOfRound } from './sealed'
import { parseWitnessesLeaf } from './witnesses'

const parsers = new Map<string, (text: string) => unknown>([
  ['kaibao-order/v1', parseOrderLeaf],
  ['kaibao-open/v2', parseSealedOpenLeaf],
  ['kaibao-void/v1', parseVoidLeaf],
  ['kaibao-round/v1', parseRoundLeaf],
  ['kaibao-witnesses/v1', parseWitnessesLeaf],
])
const parserOf = (text: string) => parsers.get(text.split('\n', 1)[0]!)
const cases = leaves.filter(({ text }) => parserOf(text))

it('every kind of leaf has a case', () => {
  expect(new Set(cases.map(({ text }) => parserOf(text))).size).toBe(parsers.size)
})

it.each(cases)('parses strictly: $name', async ({ text, verdict }) => {
  const parse = parserOf(text)!
  expect((await parse(text)) === null).toBe(verdict === 'no leaf')
  expect(await parse(`${text}\n`)).toBeNull()
  expect(await parse(text.slice(0, -1))).toBeNull()
})

it('reads the checkpoints of a round', () => {
  const text = (lines: string) =>
    `kaibao-round/v1\nbeacon ${'5a'.repeat(32)}\nround 7\nsignature ${'0b'.repeat(48)}\n${lines}time 2026-01-02T03:04:05.678Z\n`
  const two = parseRoundLeaf(text('checkpoint -\ncheckpoint b2xkCg==\n'))
  expect(two).toMatchObject({ round: 7n, checkpoint: '', endedCheckpoint: 'old\n' })
  expect(parseRoundLeaf(text('checkpoint b2xkCg==\n'))).toMatchObject({ checkpoint: 'old\n', endedCheckpoint: '' })
  expect(parseRoundLeaf(text('checkpoint b2xkCg\n'))).toBeNull()
})

it('reads a lost seed as null', () => {
  const { text } = cases.find(({ name }) => name === 'the void of a lost seed')!
  expect(parseVoidLeaf(text)).toMatchObject({ reason: 'lost', serverSeed: null })
})

it('knows when a round is published', () => {
  expect(timeOfRound(657413n, quicknet)).toBe(Date.parse('2023-09-15T11:00:03Z'))
})
