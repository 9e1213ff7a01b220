import { terms } from '@/lib/config'
import { dollars, list } from '@/lib/format'
import type { Language } from '@/lib/language'
import type { bids } from './texts/en'

/** Says which prices a bid may have: the lowest one, and the steps. */
export function priceRuleText(t: (typeof bids)['form'], language: Language): string {
  const steps = terms.bidSteps.map(({ stepCents, upToCents }, index) =>
    index === terms.bidSteps.length - 1
      ? t.lastStep(dollars(stepCents))
      : t.step(dollars(stepCents), dollars(upToCents)),
  )
  return t.priceWrong(dollars(terms.leastBidCents), list(steps, language))
}
