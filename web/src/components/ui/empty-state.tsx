import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'

interface EmptyStateProps {
  icon: ReactNode
  title: string
  text: string
  /** The most useful next step. */
  action?: ReactNode
  /** Heading level: 1 if this is the whole page. */
  level?: 1 | 2 | 3
  className?: string
}

export function EmptyState({ icon, title, text, action, level = 2, className }: EmptyStateProps) {
  const Heading = `h${level}` as const
  return (
    <div className={cn('flex flex-col items-center gap-1.5 base:px-6 base:py-16 text-center', className)}>
      <div aria-hidden className="panel mb-3 grid size-14 place-items-center rounded-2xl text-gold-text [&_svg]:size-6">
        {icon}
      </div>
      <Heading className="text-base font-semibold">{title}</Heading>
      <p className="max-w-sm text-sm text-pretty text-muted-foreground">{text}</p>
      {action && <div className="mt-4">{action}</div>}
    </div>
  )
}
