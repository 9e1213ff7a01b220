import { graders } from '@/components/certificate'
import { useT } from '@/i18n'
import { useSeriesName } from '@/i18n/names'
import { config } from '@/lib/config'
import { rarities } from '@/lib/rarity'
import { Field } from '@/components/ui/form/field'
import type { FieldForm } from '@/components/ui/form/use-form'
import { Select } from '@/components/ui/select'
import type { BidValues, BidFields } from './bid-schema'
import { minGrades } from './criteria'
import { bidsTexts } from './texts'

const { series } = config.catalogue

/** The criteria that an item must meet to fill a bid. */
export function CriteriaFields({ form }: { form: FieldForm<BidFields, BidValues> }) {
  const t = bidsTexts.useT().bids.criteria
  const { catalogue } = useT()
  const seriesName = useSeriesName()
  const fields = [
    { name: 'series', options: series.map((one) => [one, seriesName(one)]) },
    { name: 'certType', options: graders.map((grader) => [grader, grader]) },
    { name: 'rarity', options: rarities.map((rarity) => [rarity, catalogue.rarities[rarity]]) },
    { name: 'minGrade', options: minGrades.map((grade) => [String(grade), String(grade)]) },
  ] as const
  return (
    <div className="grid grid-cols-2 gap-4">
      {fields.map(({ name, options }) => (
        <Field key={name} form={form} name={name} label={t[name]}>
          {(control) => (
            <Select {...control} className="w-full">
              <option value="">{t.any}</option>
              {options.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ))}
    </div>
  )
}
