import { describe, expect, it } from 'vitest'
import { quantities, quantityBlock, type QuantityLimits } from './quantity'

const pack: QuantityLimits = { priceCents: 2500, secondsBetween: 0 }

/** For each number of packs, the kind of what prevents it. */
const blocks = (limits: Partial<QuantityLimits>) =>
  quantities.map((quantity) => quantityBlock(quantity, { ...pack, ...limits })?.kind)

describe('the number of packs', () => {
  it.each<[string, Partial<QuantityLimits>, (string | undefined)[]]>([
    ['nothing known', {}, [undefined, undefined, undefined, undefined]],
    ['just enough balance', { balanceCents: 12_500 }, [undefined, undefined, undefined, 'balance']],
    ['a cent less', { balanceCents: 12_499 }, [undefined, undefined, 'balance', 'balance']],
    ['a wait between opens', { secondsBetween: 3 }, [undefined, 'wait', 'wait', 'wait']],
    ['four packs left', { packsLeft: 4 }, [undefined, undefined, 'supply', 'supply']],
    ['a loss limit', { lossLeftCents: 7500 }, [undefined, undefined, 'loss-limit', 'loss-limit']],
    ['a house rule on packs a day', { opensLeftToday: 5 }, [undefined, undefined, undefined, 'opens-day']],
    ['a house rule on spending a day', { spendLeftTodayCents: 0 }, [undefined, 'spend-day', 'spend-day', 'spend-day']],
  ])('with %s', (_, limits, expected) => {
    expect(blocks(limits)).toEqual(expected)
  })

  it('names what is missing', () => {
    expect(quantityBlock(10, { ...pack, balanceCents: 20_000 })).toEqual({ kind: 'balance', missingCents: 5000 })
  })

  it('never blocks a single pack, whose button says why it can’t be opened', () => {
    const limits = { ...pack, balanceCents: 0, packsLeft: 0, secondsBetween: 5, lossLeftCents: 0 }
    expect(quantityBlock(1, limits)).toBeUndefined()
  })
})
