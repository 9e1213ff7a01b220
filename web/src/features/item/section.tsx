import { type ReactNode, useId } from 'react'
import { cn } from '@/lib/cn'

interface SectionProps {
  title: string
  text?: string
  /** Shown to the right of the title. */
  more?: ReactNode
  className?: string
  children: ReactNode
}

export function Section({ title, text, more, className, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={cn('panel min-w-0 rounded-2xl p-5', className)}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {more}
      </div>
      {text && <p className="mt-1 text-sm text-pretty text-muted-foreground">{text}</p>}
      {children}
    </section>
  )
}

/** Replaces a table without rows. */
export function EmptyText({ text }: { text: string }) {
  return <p className="mt-3 text-sm text-muted-foreground">{text}</p>
}
