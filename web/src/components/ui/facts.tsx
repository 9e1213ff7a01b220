import type { ComponentProps, ReactNode } from 'react'
import { cn } from '@/lib/cn'

export interface Fact {
  label: string
  value: ReactNode
  /** The value's own look. */
  className?: string | undefined
  /** As wide as the whole list. */
  wide?: boolean
  /** Drawn under it, for the eye alone. */
  below?: ReactNode
}

/**
 * `lines` end to end, `stacks` a small label above its value, `cells` the same in as many columns as there is room
 * for, `columns` labels and values one below the other.
 */
type Look = 'lines' | 'stacks' | 'cells' | 'columns'

const stack = { fact: 'min-w-0', label: 'text-xs', value: 'font-semibold tabular-nums' }

const looks: Record<Look, { list: string; fact: string; label: string; value: string }> = {
  lines: {
    list: 'space-y-1 text-sm',
    fact: 'flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1',
    label: '',
    value: 'text-right font-semibold tabular-nums',
  },
  stacks: { list: '', ...stack },
  cells: { list: 'grid grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))] gap-x-6 gap-y-3 text-sm', ...stack },
  columns: {
    list: 'grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs leading-5',
    fact: 'contents',
    label: '',
    value: 'min-w-0 font-mono',
  },
}

interface FactsProps extends ComponentProps<'dl'> {
  facts: readonly Fact[]
  look?: Look
}

/** What is known of something: labels with their values. */
export function Facts({ facts, look = 'lines', className, ...rest }: FactsProps) {
  const { list, fact, label, value } = looks[look]
  return (
    <dl className={cn(list, className)} {...rest}>
      {facts.map((one) => (
        <div key={one.label} className={cn(fact, one.wide && 'col-span-full')}>
          <dt className={cn('text-muted-foreground', label)}>{one.label}</dt>
          <dd className={cn(value, one.className)}>{one.value}</dd>
          {one.below && (
            <dd aria-hidden className="basis-full">
              {one.below}
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
