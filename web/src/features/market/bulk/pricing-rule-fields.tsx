import { useId } from 'react'
import { NumberChoices, NumberInput } from '@/components/ui/form/number-input'
import { Select } from '@/components/ui/select'
import { marketTexts } from '../texts'
import { type PricingRule, ruleNumberKinds, pricingRules } from './pricing-rule'

interface PricingRuleFieldsProps {
  rule: PricingRule
  input: string
  /** Offers to raise or lower prices; needs all current prices. */
  canAdjust: boolean
  onChange: (rule: PricingRule, input: string) => void
}

export function PricingRuleFields({ rule, input, canAdjust, onChange }: PricingRuleFieldsProps) {
  const t = marketTexts.useT().bulk
  const id = useId()
  return (
    <div className="mb-4 grid grid-cols-2 gap-3">
      <div>
        <label htmlFor={`${id}rule`} className="mb-1.5 block text-sm font-medium">
          {t.rule}
        </label>
        <Select
          id={`${id}rule`}
          className="w-full"
          value={rule}
          onChange={({ currentTarget }) =>
            onChange(pricingRules.find((option) => option === currentTarget.value) ?? rule, '')
          }
        >
          {pricingRules
            .filter((option) => option !== 'by' || canAdjust)
            .map((option) => (
              <option key={option} value={option}>
                {t.rules[option]}
              </option>
            ))}
        </Select>
      </div>
      <div>
        <label htmlFor={`${id}typed`} className="mb-1.5 block text-sm font-medium">
          {t.typed[rule]}
        </label>
        <NumberInput
          id={`${id}typed`}
          kind={ruleNumberKinds[rule]}
          value={input}
          onChange={({ currentTarget }) => onChange(rule, currentTarget.value)}
        />
        <NumberChoices text={input} kind={ruleNumberKinds[rule]} onChoose={(value) => onChange(rule, value)} />
      </div>
    </div>
  )
}
