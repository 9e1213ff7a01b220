import type { ReactNode } from 'react'
import { useLanguage } from '@/i18n'
import { dateTime } from '@/lib/format'

interface TimelineProps<T> {
  /** Oldest first. */
  moments: readonly T[]
  children: (moment: T) => ReactNode
  className?: string
}

export function Timeline<T>({ moments, children, className }: TimelineProps<T>) {
  return (
    <ol className={className}>
      {moments.map((moment, at) => (
        // Two equal events may have the same time, so only the index is unique.
        <li key={at} className="group relative flex gap-4 pb-6 last:pb-0">
          {children(moment)}
        </li>
      ))}
    </ol>
  )
}

interface TimelineItemProps {
  icon: ReactNode
  /** RFC 3339 */
  at: string
  title: ReactNode
  /** Shown after the time. */
  more?: ReactNode
  children?: ReactNode
}

export function TimelineItem({ icon, at, title, more, children }: TimelineItemProps) {
  const language = useLanguage()
  return (
    <>
      <span aria-hidden className="absolute top-9 bottom-0 left-4.5 w-px bg-line-strong group-last:hidden" />
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center rounded-full border bg-background text-gold-text [&_svg]:size-4"
      >
        {icon}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2.5 font-medium">{title}</p>
        <p className="mt-0.5 flex flex-wrap gap-x-2.5 text-sm text-muted-foreground">
          <time dateTime={at} className="tabular-nums">
            {dateTime(at, language)}
          </time>
          {more}
        </p>
        {children}
      </div>
    </>
  )
}
