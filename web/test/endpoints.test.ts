import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { depositsCsvUrl } from '@/api/admin-deposits'
import { usersCsvUrl } from '@/api/admin-users'
import { claimsCsvUrl } from '@/api/admin-redemptions'
import { catalogueCsvUrl } from '@/api/admin-catalogue'
import { dailyFiguresCsvUrl } from '@/api/admin-figures'
import { adminLogCsvUrl } from '@/api/admin-log'
import { transactionsCsvUrl } from '@/api/wallet'
import { unknownParameters } from './unknown-parameters'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !path.startsWith('contract/'))
  .map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }))

const calls = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/api\.([A-Z]+)\('(\/api\/[^']*)'|\bfetch\(/g)].map(([all, method, at]) => ({
    path,
    call: at ? `${method} ${at}` : all,
  })),
)

it('every endpoint is written once, in api', () => {
  const written = calls.filter(({ call }) => call !== 'fetch(')
  const names = written.map(({ call }) => call)
  expect(written.length).toBeGreaterThan(20)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  expect(written.filter(({ path }) => !path.startsWith('api/'))).toEqual([])
})

it('only what the calls stand on fetches past it', () => {
  const places = calls.filter(({ call }) => call === 'fetch(').map(({ path }) => path)
  expect([...new Set(places)].toSorted()).toEqual(['api/client.ts', 'api/log.ts', 'lib/load-code.ts'])
})

it.each([
  depositsCsvUrl('review'),
  usersCsvUrl({ search: 'a', role: 'admin' }),
  claimsCsvUrl({ state: 'requested', search: 'a' }),
  catalogueCsvUrl,
  dailyFiguresCsvUrl,
  adminLogCsvUrl({ actor: 'a', act: 'a', subject: 'a', search: 'a', from: 'a', to: 'a' }),
  transactionsCsvUrl({ kind: 'open', from: 'a', to: 'a' }),
])('the contract knows all that %s asks for', (address) => {
  expect(unknownParameters('GET', address)).toEqual([])
})

it('another parameter is told', () => {
  expect(unknownParameters('GET', '/api/admin/opens?user=x&limit=1')).toEqual(['user'])
  expect(unknownParameters('POST', '/api/packs/1/open?user=x')).toEqual(['user'])
})
