import { screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { mayCelebrate } from '@/features/opening/use-sparks'
import { houserules as t } from '@/features/houserules/texts/en'
import { config } from '@/lib/config'
import { renderPage } from '@test/render-page'
import { stubApi } from '@test/stub-api'

const ordinary = { ...config.rules }

afterEach(() => void Object.assign(config.rules, ordinary))

/** The page's text for each rule, with its default and other values. */
it.each([
  [{}, t.ageNone],
  [{ minimumAge: 18 }, t.ageAtLeast(18)],
  [{ minimumAge: 8, guardianBelow: 18 }, t.guardian(t.ageAtLeast(8), 18)],
  [{}, t.countriesAll],
  [{ countries: ['GB'] }, t.countriesOnly('United Kingdom')],
  [{ highestPackCents: 2800 }, t.atMost('$28.00')],
  [{ spentDayCents: 70_000 }, t.atMost('$700.00')],
  [{ opensDay: 7 }, t.atMost('7')],
  [{ secondsBetween: 3 }, t.seconds(3)],
  [{ giftsDayCents: 30_000 }, t.atMost('$300.00')],
  [{ market: false }, t.giftsOff],
  [{}, t.marketOn],
  [{ market: false }, t.marketOff],
  [{}, t.sellBackOn(90)],
  [{ sellBack: false }, t.sellBackOff],
  [{}, t.celebrateAll],
  [{ celebrateLosses: false }, t.celebrateWins],
])('explains %o: %s', async (changed, text) => {
  Object.assign(config.rules, changed)
  stubApi({})
  renderPage('/rules')
  expect(await screen.findByText(text)).toBeVisible()
})

it('celebrates pulls worth less than the price only if the rules allow it', () => {
  const loss = { totalValueCents: 2500, priceCents: 2500 }
  expect(mayCelebrate(loss)).toBe(true)
  config.rules.celebrateLosses = false
  expect(mayCelebrate(loss)).toBe(false)
  expect(mayCelebrate({ ...loss, totalValueCents: 2501 })).toBe(true)
})
