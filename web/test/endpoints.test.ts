import { Visitor } from 'vite'
import { expect, it } from 'vitest'
import { depositsCsvUrl } from '@/api/admin-deposits'
import { limitChangesCsvUrl, notesCsvUrl, sessionsCsvUrl, usersCsvUrl } from '@/api/admin-users'
import {
  bidsCsvUrl,
  entriesCsvUrl,
  opensCsvUrl,
  salesCsvUrl,
  sellBacksCsvUrl,
  transfersCsvUrl,
} from '@/api/admin-lists'
import { claimsCsvUrl } from '@/api/admin-redemptions'
import { catalogueCsvUrl } from '@/api/admin-catalogue'
import { dailyFiguresCsvUrl, exportNames, exportUrl } from '@/api/admin-figures'
import { adminLogCsvUrl } from '@/api/admin-log'
import { transactionsCsvUrl } from '@/api/wallet'
import { parse, sourceFiles } from './source'
import { unknownParameters } from './unknown-parameters'

/** Calls such as `api.GET('/api/packs')`. The linter lets only src/api import the client. */
function callsIn(file: string): string[] {
  const calls: string[] = []
  new Visitor({
    CallExpression({ callee, arguments: [path] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (callee.object.type !== 'Identifier' || callee.object.name !== 'api' || path?.type !== 'Literal') return
      calls.push(`${callee.property.name} ${String(path.value)}`)
    },
  }).visit(parse(file).program)
  return calls
}

it('every endpoint is called in one place', () => {
  const calls = sourceFiles.filter((file) => !file.includes('.test.')).flatMap(callsIn)
  expect(calls.length).toBeGreaterThan(20)
  expect(calls.filter((call, index) => calls.indexOf(call) !== index)).toEqual([])
})

it.each([
  depositsCsvUrl({ state: 'review', user: 'a', id: 'a', from: 'a', to: 'a' }),
  usersCsvUrl({ search: 'a', role: 'admin', from: 'a', to: 'a' }),
  claimsCsvUrl({ state: 'requested', search: 'a', user: 'a', id: 'a', from: 'a', to: 'a' }),
  catalogueCsvUrl,
  ...exportNames.map((name) => exportUrl(name, { from: 'a', to: 'a' })),
  transfersCsvUrl({ user: 'a', id: 'a', from: 'a', to: 'a', kind: 'open' }),
  opensCsvUrl({ user: 'a', id: 'a', from: 'a', to: 'a' }),
  entriesCsvUrl({ user: 'a', id: 'a', from: 'a', to: 'a', state: 'held', kind: 'pack' }),
  salesCsvUrl({ user: 'a', id: 'a', from: 'a', to: 'a', kind: 'bid' }),
  sellBacksCsvUrl({ user: 'a', id: 'a', from: 'a', to: 'a', kind: 'floor' }),
  bidsCsvUrl({ user: 'a', id: 'a', from: 'a', to: 'a', state: 'open', kind: 'item' }),
  sessionsCsvUrl('a'),
  limitChangesCsvUrl('a', { from: 'a', to: 'a', kind: 'set' }),
  notesCsvUrl('a', { from: 'a', to: 'a' }),
  dailyFiguresCsvUrl,
  adminLogCsvUrl({ actor: 'a', act: 'a', subject: 'a', search: 'a', user: 'a', from: 'a', to: 'a' }),
  transactionsCsvUrl({ kind: 'open', from: 'a', to: 'a' }),
])('the contract has the parameters of %s', (address) => {
  expect(unknownParameters('GET', address)).toEqual([])
})

it('reports a parameter that the contract lacks', () => {
  expect(unknownParameters('GET', '/api/admin/opens?owner=x&limit=1')).toEqual(['owner'])
  expect(unknownParameters('POST', '/api/packs/1/open?user=x')).toEqual(['user'])
})
