import { useId } from 'react'
import type { Period } from '@/api/list-filter'
import { startOfDay } from '@/lib/start-of-day'
import { Input } from '@/components/ui/input'
import { adminTexts } from './texts'

/** An inclusive range of days in the admin's time zone, as YYYY-MM-DD; empty without a bound. */
export interface Days {
  from: string
  to: string
}

export const anyTime: Days = { from: '', to: '' }

/** The server's filter: from the start of the first day to the end of the last. */
export function periodOf({ from, to }: Days): Period {
  return { from: from ? startOfDay(from) : undefined, to: to ? startOfDay(to, 1) : undefined }
}

interface PeriodFilterProps {
  value: Days
  onChange: (days: Days) => void
}

/** Two fields for the first and the last day of a list. */
export function PeriodFilter({ value, onChange }: PeriodFilterProps) {
  const t = adminTexts.useT().list
  const id = useId()
  return (
    <span className="flex flex-wrap items-center gap-3">
      {(['from', 'to'] as const).map((bound) => (
        <span key={bound} className="flex items-center gap-3">
          <label htmlFor={id + bound} className="text-sm text-muted-foreground">
            {t[bound]}
          </label>
          <Input
            id={id + bound}
            type="date"
            value={value[bound]}
            onChange={({ target }) => onChange({ ...value, [bound]: target.value })}
            className="w-40"
          />
        </span>
      ))}
    </span>
  )
}
