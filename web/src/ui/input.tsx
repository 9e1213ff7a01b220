import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

/** The wheel scrolls the page: a number that has the focus would go up and down with it, unseen. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      className={cn(
        'h-11 w-full rounded-lg border border-line-strong bg-background px-3.5 text-foreground tabular-nums transition-colors placeholder:text-muted-foreground hover:border-muted-foreground aria-invalid:border-destructive disabled:opacity-50',
        className,
      )}
      onWheel={({ currentTarget }) => currentTarget.type === 'number' && currentTarget.blur()}
      {...rest}
    />
  )
}
