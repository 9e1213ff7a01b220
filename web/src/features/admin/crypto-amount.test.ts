import { expect, it } from 'vitest'
import { cryptoAmount } from './crypto-amount'

it.each([
  [103_950_000, 'SOL', '0.10395 SOL'],
  [1, 'SOL', '0.000000001 SOL'],
  [2_000_000_000, 'SOL', '2 SOL'],
  [25_000_001, 'USDC', '25.000001 USDC'],
  [7, 'DOGE', '7 DOGE'],
])('%i smallest units of %s are %s', (units, currency, text) => {
  expect(cryptoAmount(units, currency)).toBe(text)
})
