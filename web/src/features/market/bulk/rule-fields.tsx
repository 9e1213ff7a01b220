import { useId } from 'react'
import { NumberChoices, NumberInput } from '@/components/ui/form/number-input'
import { Select } from '@/components/ui/select'
import { marketTexts } from '../texts'
import { type Rule, ruleKinds, rules } from './price'

interface RuleFieldsProps {
  rule: Rule
  typed: string
  /** Whether the prices so far are known, so that they can go up and down. */
  known: boolean
  onChange: (rule: Rule, typed: string) => void
}

/** How the prices of several are told. */
export function RuleFields({ rule, typed, known, onChange }: RuleFieldsProps) {
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
          onChange={({ currentTarget }) => onChange(rules.find((one) => one === currentTarget.value) ?? rule, '')}
        >
          {rules
            .filter((one) => one !== 'by' || known)
            .map((one) => (
              <option key={one} value={one}>
                {t.rules[one]}
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
          kind={ruleKinds[rule]}
          value={typed}
          onChange={({ currentTarget }) => onChange(rule, currentTarget.value)}
        />
        <NumberChoices text={typed} kind={ruleKinds[rule]} onChoose={(value) => onChange(rule, value)} />
      </div>
    </div>
  )
}
