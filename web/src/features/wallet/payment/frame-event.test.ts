import { expect, it } from 'vitest'
import { frameEventOf } from './frame-event'

const source = 'kaibao-payment'
const transaction = '5'.repeat(88)

it.each([
  [{ source, type: 'ready' }, { type: 'ready' }],
  [
    { source, type: 'height', px: 320 },
    { type: 'height', px: 320 },
  ],
  [
    { source, type: 'success', transaction },
    { type: 'success', transaction },
  ],
  [{ source, type: 'error', message: 'No.' }, { type: 'error' }],
])('%o is an event', (message, event) => {
  expect(frameEventOf(message)).toEqual(event)
})

it.each([
  null,
  'ready',
  { type: 'ready' },
  { source: 'somebody', type: 'ready' },
  { source, type: 'started' },
  { source, type: 'height', px: '320' },
  { source, type: 'height', px: NaN },
  { source, type: 'height', px: Infinity },
  { source, type: 'success' },
  { source, type: 'success', transaction: 5 },
  { source, type: 'success', transaction: 'short' },
  { source, type: 'success', transaction: `${transaction}0` },
])('%o is ignored', (message) => {
  expect(frameEventOf(message)).toBeUndefined()
})
