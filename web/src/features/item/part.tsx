import { type ReactNode, useId } from 'react'
import { cn } from '@/lib/cn'

interface PartProps {
  title: string
  text?: string
  /** Stands at the right end of the title. */
  more?: ReactNode
  className?: string
  children: ReactNode
}

/** A part of the page under its title. */
export function Part({ title, text, more, className, children }: PartProps) {
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

/** In the place of a table without rows. */
export function Nothing({ text }: { text: string }) {
  return <p className="mt-3 text-sm text-muted-foreground">{text}</p>
}
