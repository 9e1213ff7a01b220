import { type ReactNode, useId } from 'react'
import { storeTexts } from '../texts'
import type { PackDetail } from '@/contract/types'
import { dollars, points } from '@/lib/format'
import { OddsDetails } from './odds-details'
import { TopCards } from './top-cards'
import { ValueDistribution } from './value-distribution'

/** What the pack yields: top cards, distribution, average, and folded away, how the odds are computed. */
export function OddsPanel({ pack }: { pack: PackDetail }) {
  const t = storeTexts.useT().pack
  return (
    <section aria-labelledby="probability" className="panel space-y-5 rounded-2xl p-4 md:p-5">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="probability" className="font-semibold">
          {t.probability}
        </h2>
        <p className="text-sm text-muted-foreground">
          <span>{t.expectedValue}</span>{' '}
          <strong className="ml-1 text-base font-semibold text-foreground tabular-nums">
            {dollars(pack.expectedValueCents)}
          </strong>
        </p>
      </div>
      {pack.topItem ? (
        <>
          <Question title={t.questions.win}>
            <TopCards pack={pack} />
          </Question>
          <Question title={t.questions.get}>
            <ValueDistribution pack={pack} />
          </Question>
          <Question title={t.questions.cost}>
            <Average pack={pack} />
          </Question>
        </>
      ) : (
        <p>{t.noCardsLeft}</p>
      )}
      <p className="text-xs leading-relaxed text-pretty text-muted-foreground">{t.footnote}</p>
      <OddsDetails pack={pack} />
    </section>
  )
}

function Question({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-2 text-sm font-medium text-muted-foreground">
        {title}
      </h3>
      {children}
    </section>
  )
}

function Average({ pack: { expectedValueCents, cashBackCents, itemsPerPack } }: { pack: PackDetail }) {
  const t = storeTexts.useT().pack
  return (
    <p className="text-pretty tabular-nums">
      <span>{t.averageValue(dollars(expectedValueCents), itemsPerPack)}</span>{' '}
      <span>{cashBackCents === null ? t.noSellBack : t.averageSellBack(points(cashBackCents))}</span>
    </p>
  )
}
