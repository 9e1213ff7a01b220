import { useId } from 'react'
import { Input } from '@/ui/input'
import { Select } from '@/ui/select'
import { bulkTexts } from '../texts/bulk'
import { type Rule, rules } from './price'

interface RuleFieldsProps {
  rule: Rule
  typed: string
  /** Whether the prices so far are known, so that they can go up and down. */
  known: boolean
  onChange: (rule: Rule, typed: string) => void
}

/** How the prices of several are told. */
export function RuleFields({ rule, typed, known, onChange }: RuleFieldsProps) {
  const t = bulkTexts.useT()
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
        <Input
          id={`${id}typed`}
          inputMode={rule === 'by' ? 'text' : 'decimal'}
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget }) => onChange(rule, currentTarget.value)}
        />
      </div>
    </div>
  )
}
