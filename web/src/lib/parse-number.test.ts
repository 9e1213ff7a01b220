import { describe, expect, it } from 'vitest'
import { numberKinds, readNumber } from './parse-number'
import { dollars, fixed } from './format'
import { amountCents } from './parse-price'

describe('an amount of money', () => {
  it.each([
    ['12,50', '12.5'],
    ['12。50', '12.5'],
    ['12，5', '12.5'],
    ['12．50', '12.5'],
    ['12｡50', '12.5'],
    ['1.250,00', '1250'],
    ['1,250.00', '1250'],
    ['1，250。00', '1250'],
    ['1.250,000', '1250'],
    ["1'250.50", '1250.5'],
    ['1’250,50', '1250.5'],
    ['1 250,50', '1250.5'],
    ['1\u202F250,50', '1250.5'],
    ['1 250', '1250'],
    ['1,250,000', '1250000'],
    ['1.250.000', '1250000'],
    ['1.250.000,5', '1250000.5'],
    ['1,23,456', '123456'],
    ['１２５０．５０', '1250.5'],
    ['１２，５０', '12.5'],
    ['$12.50', '12.5'],
    ['＄ 12,50', '12.5'],
    ['￥12.50', '12.5'],
    ['US$1,250.00', '1250'],
    ['12,50 €', '12.5'],
    ['12.50 USD', '12.5'],
    ['  12.50  ', '12.5'],
    ['0,125000', undefined],
    ['.5', '0.5'],
    ['12.', '12'],
    ['1234,50', '1234.5'],
    ['0.500', '0.5'],
    ['007', '7'],
    ['1e1', '10'],
    ['12345e-3', undefined],
  ])('is parsed from %j', (typed, value) => {
    expect(readNumber(typed, numberKinds.money)).toEqual(value === undefined ? { problem: 'decimals' } : { value })
  })

  it.each([
    ['1.250', ['1.25', '1250']],
    ['1,250', ['1.25', '1250']],
    ['１，２５０', ['1.25', '1250']],
    ['1。250', ['1.25', '1250']],
    ['$999,000', ['999', '999000']],
    ['12.345', ['12345']],
  ])('is ambiguous in %j', (typed, choices) => {
    expect(readNumber(typed, numberKinds.money)).toEqual({ choices })
  })

  it.each(['12.3456', '0.005', '1234.567', '1e-3'])('has too many decimals in %j', (typed) => {
    expect(readNumber(typed, numberKinds.money)).toEqual({ problem: 'decimals' })
  })

  it.each([
    '',
    ' ',
    '.',
    ',',
    '-5',
    '+5',
    'five',
    'NaN',
    '12 50',
    '1,250,00',
    '1,25.00',
    '12.50.30',
    '0,125,000',
    '1.250.00,5',
    '5²',
    '½',
    '50%',
    '1e',
    'e1',
    '.e1',
    '1 e1',
    '1e1.5',
    '1e400',
    '$$5',
  ])('is not parsed from %j', (typed) => {
    expect(readNumber(typed, numberKinds.money)).toEqual({ problem: 'unreadable' })
  })

  it('is the same in every notation', () => {
    const fullWidth = (text: string) =>
      text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0))
    const swap = (text: string) => text.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'))
    let cents = 1
    for (let count = 0; count < 2000; count++) {
      cents = (cents * 48_271) % 2_147_483_647
      const amount = cents % 10 ** (1 + (count % 9))
      const written = fixed(amount / 100, 2)
      const ways = [
        written,
        swap(written),
        fullWidth(written),
        swap(written).replace(/\./g, '\u00A0'),
        written.replaceAll(',', "'"),
        written.replaceAll(',', ''),
        dollars(amount),
        new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 }).format(amount / 100),
        new Intl.NumberFormat('fr-FR', { style: 'currency', currency: 'USD' }).format(amount / 100).replace('US', ''),
      ]
      expect(ways.map(amountCents)).toEqual(ways.map(() => amount))
    }
  })

  it('is never guessed when a single separator precedes three digits', () => {
    for (let whole = 1; whole < 1000; whole += 7)
      for (const mark of [',', '.', '，', '。', '．']) {
        const reading = readNumber(`${whole}${mark}250`, numberKinds.money)
        expect(reading).toEqual({ choices: [`${whole}.25`, `${whole}250`] })
      }
  })
})

describe('other numbers', () => {
  it.each([
    [numberKinds.whole, '1,250', { choices: ['1250'] }],
    [numberKinds.whole, '1.000', { choices: ['1', '1000'] }],
    [numberKinds.whole, '１００', { value: '100' }],
    [numberKinds.whole, '12,50', { problem: 'decimals' }],
    [numberKinds.whole, '12.00', { value: '12' }],
    [{ ...numberKinds.whole, signed: true }, '−5', { value: '-5' }],
    [{ ...numberKinds.whole, signed: true }, '－1', { value: '-1' }],
    [{ ...numberKinds.whole, signed: true }, '+5', { value: '5' }],
    [{ ...numberKinds.money, signed: true }, '-$1,250.5', { value: '-1250.5' }],
    [{ ...numberKinds.money, percent: true }, '110 %', { value: '110' }],
    [numberKinds.percent, '29.875', { value: '29.875' }],
    [numberKinds.percent, '0，0001％', { value: '0.0001' }],
    [numberKinds.grade, '9,5', { value: '9.5' }],
    [numberKinds.grade, '9.25', { problem: 'decimals' }],
  ])('%o of %j is %o', (kind, typed, reading) => {
    expect(readNumber(typed, kind)).toEqual(reading)
  })
})
