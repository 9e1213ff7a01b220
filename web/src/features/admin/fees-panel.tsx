import { lazy, startTransition, Suspense, useState } from 'react'
import { useRates } from '@/api/rates'
import { percentOf } from '@/components/fee'
import { useLanguage } from '@/i18n'
import { dateTime } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { Facts } from '@/components/ui/facts'
import { adminTexts } from './texts'

const FeesDialog = lazy(() => import('./fees-dialog'))

/** Current and announced fees, and the button to change them. */
export function FeesPanel() {
  const t = adminTexts.useT().admin.settings
  const language = useLanguage()
  const rates = useRates()
  const [open, setOpen] = useState(false)
  return (
    <section aria-labelledby="fees" className="panel max-w-xl rounded-2xl p-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 id="fees" className="font-semibold">
          {t.fees}
        </h3>
        <Button variant="secondary" size="sm" onClick={() => startTransition(() => setOpen(true))}>
          {t.changeFees}
        </Button>
      </div>
      <p className="mt-1 text-sm text-pretty text-muted-foreground">{t.feesText}</p>
      <Facts
        className="mt-4 divide-y divide-line *:py-3"
        facts={[
          { label: t.fee, value: t.feeValue(percentOf(rates.listing)) },
          { label: t.bidFee, value: `${percentOf(rates.bid)}%` },
          { label: t.counterFee, value: `${percentOf(rates.counter)}%` },
        ]}
      />
      {rates.announced.map((next) => (
        <p
          key={next.effectiveAt}
          className="mt-3 rounded-xl bg-warning p-3 text-sm text-pretty text-warning-foreground"
        >
          {t.announced(
            dateTime(next.effectiveAt ?? '', language),
            percentOf(next.listing),
            percentOf(next.bid),
            percentOf(next.counter),
          )}
        </p>
      ))}
      <Suspense>{open && <FeesDialog rates={rates} onClose={() => setOpen(false)} />}</Suspense>
    </section>
  )
}
