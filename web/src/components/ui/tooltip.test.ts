import { expect, it } from 'vitest'
import { tooltipPosition } from './tooltip'

const page = { width: 1000, height: 600 }
const bubble = { width: 200, height: 40 }
const at = (left: number, top: number) => ({ left, top, right: left + 40, bottom: top + 20 })

it.each([
  ['above', 'top', at(480, 300), { left: 400, top: 252 }],
  ['below at the upper edge', 'top', at(480, 30), { left: 400, top: 58 }],
  ['inside the left edge', 'top', at(0, 300), { left: 8, top: 252 }],
  ['inside the right edge', 'top', at(960, 300), { left: 792, top: 252 }],
  ['to the right', 'right', at(100, 300), { left: 148, top: 290 }],
  ['to the left at the right edge', 'right', at(900, 300), { left: 692, top: 290 }],
  ['inside the lower edge', 'right', at(100, 580), { left: 148, top: 552 }],
] as const)('a tooltip is placed %s', (_, side, anchor, wanted) => {
  expect(tooltipPosition(anchor, side, bubble, page)).toEqual(wanted)
})
