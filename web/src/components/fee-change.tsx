import { useRates } from '@/api/rates'
import { useLanguage, useT } from '@/i18n'
import type { Rates } from '@/contract/types'
import { dateTime } from '@/lib/format'
import { percentOf } from './fee'

interface FeeChangeProps {
  of: 'listing' | 'bid' | 'counter'
  /** Name of the fee, where several are shown. */
  label?: string
}

/** Shows an announced change of a fee. */
export function FeeChange({ of, label = '' }: FeeChangeProps) {
  const t = useT().catalogue
  const language = useLanguage()
  const next = nextChange(useRates(), of)
  if (!next) return null
  return (
    <p className="mt-1 text-xs text-pretty text-muted-foreground">
      {label + t.feeChange(percentOf(next[of]), dateTime(next.effectiveAt ?? '', language))}
    </p>
  )
}

/** The first announced change of a fee. */
function nextChange(rates: Rates, of: 'listing' | 'bid' | 'counter') {
  return rates.announced.find((change) => change[of] !== rates[of])
}
