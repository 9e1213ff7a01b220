import type { ComponentProps, ReactNode } from 'react'
import { cn } from '@/lib/cn'

export interface Fact {
  label: string
  value: ReactNode
  className?: string | undefined
  /** Spans all columns. */
  wide?: boolean
  /** Shown below; hidden from screen readers. */
  below?: ReactNode
}

/**
 * `lines`: label left, value right; `stacks`: label above value; `cells`: stacks in a responsive grid; `columns`: a
 * column of labels and one of values.
 */
type Layout = 'lines' | 'stacks' | 'cells' | 'columns'

const stack = { fact: 'min-w-0', label: 'text-xs', value: 'base:font-semibold tabular-nums' }

const layouts: Record<Layout, { list: string; fact: string; label: string; value: string }> = {
  lines: {
    list: 'base:space-y-1 base:text-sm',
    fact: 'flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1',
    label: '',
    value: 'base:text-right base:font-semibold tabular-nums',
  },
  stacks: { list: '', ...stack },
  cells: { list: 'grid grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))] gap-x-6 gap-y-3 base:text-sm', ...stack },
  columns: {
    list: 'grid base:grid-cols-[auto_minmax(0,1fr)] gap-x-4 base:gap-y-1 text-xs leading-5',
    fact: 'contents',
    label: '',
    value: 'min-w-0 font-mono',
  },
}

interface FactsProps extends ComponentProps<'dl'> {
  facts: readonly Fact[]
  layout?: Layout
}

/** A description list of labels and values. */
export function Facts({ facts, layout = 'lines', className, ...rest }: FactsProps) {
  const { list, fact, label, value } = layouts[layout]
  return (
    <dl className={cn(list, className)} {...rest}>
      {facts.map((item) => (
        <div key={item.label} className={cn(fact, item.wide && 'col-span-full')}>
          <dt className={cn('text-muted-foreground', label)}>{item.label}</dt>
          <dd className={cn(value, item.className)}>{item.value}</dd>
          {item.below && (
            <dd aria-hidden className="basis-full">
              {item.below}
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
