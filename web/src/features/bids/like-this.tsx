import { graders } from '@/components/certificate'
import { useT } from '@/i18n'
import { config } from '@/lib/config'
import { rarities } from '@/lib/rarity'
import { Field } from '@/components/ui/form/field'
import type { Showing } from '@/components/ui/form/use-form'
import { Select } from '@/components/ui/select'
import type { Asked, Typed } from './bid-schema'
import { minGrades } from './criterion'
import { bidsTexts } from './texts'

const { series } = config.catalogue

/** What items must be like to fill a bid. */
export function LikeThis({ form }: { form: Showing<Typed, Asked> }) {
  const t = bidsTexts.useT().bids.like
  const { catalogue } = useT()
  const choices = [
    { name: 'series', all: series.map((one) => [one, one]) },
    { name: 'certType', all: graders.map((grader) => [grader, grader]) },
    { name: 'rarity', all: rarities.map((rarity) => [rarity, catalogue.rarities[rarity]]) },
    { name: 'minGrade', all: minGrades.map((grade) => [String(grade), String(grade)]) },
  ] as const
  return (
    <div className="grid grid-cols-2 gap-4">
      {choices.map(({ name, all }) => (
        <Field key={name} form={form} name={name} label={t[name]}>
          {(control) => (
            <Select {...control} className="w-full">
              <option value="">{t.any}</option>
              {all.map(([value, shown]) => (
                <option key={value} value={value}>
                  {shown}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ))}
    </div>
  )
}
