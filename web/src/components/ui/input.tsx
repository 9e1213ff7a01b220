import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      className={cn(
        'base:h-11 base:w-full rounded-lg border border-line-strong bg-background base:px-3.5 text-foreground tabular-nums transition-colors placeholder:text-muted-foreground hover:border-muted-foreground aria-invalid:border-destructive disabled:opacity-50',
        className,
      )}
      {...rest}
    />
  )
}
