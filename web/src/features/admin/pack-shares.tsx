import { oddsTierLabel } from '@/components/odds-tier-label'
import { useT } from '@/i18n'
import { numberKinds } from '@/lib/parse-number'
import { cn } from '@/lib/cn'
import type { AdminPack } from '@/contract/types'
import { isFullShare, type PackForm, totalShare, initialPack, type PackFields, formatShare } from './pack-form'
import { adminTexts } from './texts'
import { NumberField } from '@/components/ui/form/number-field'

interface PackSharesProps {
  form: PackForm
  tiers: readonly string[]
  values: PackFields
  pack: AdminPack | undefined
}

/** Fields for the odds of each tier, and their total. */
export function PackShares({ form, tiers, values, pack }: PackSharesProps) {
  const { catalogue } = useT()
  const t = adminTexts.useT().editing.pack
  const sum = totalShare(values, tiers)
  const before = initialPack(pack)
  const untouched = pack !== undefined && tiers.every((_, at) => values[`share${at}`] === before[`share${at}`])
  const isComplete = isFullShare(sum)
  return (
    <fieldset className="col-span-2 min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{t.shares}</legend>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {tiers.map((label, at) => (
          <NumberField
            key={label}
            form={form}
            name={`share${at}`}
            label={oddsTierLabel(label, catalogue)}
            kind={numberKinds.percent}
            placeholder="0"
          />
        ))}
      </div>
      <p role="status" className="mt-2 text-sm text-pretty text-muted-foreground">
        <span className={cn('font-semibold tabular-nums', isComplete || untouched ? '' : 'text-destructive-text')}>
          {`${t.total(`${formatShare(sum)}%`)}${!isComplete && !untouched ? ` · ${t.mustBeWhole}` : ''}`}
        </span>
        <span>{!isComplete && untouched && ` · ${t.untouched}`}</span>
      </p>
    </fieldset>
  )
}
