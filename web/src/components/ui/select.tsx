import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

/** A native select: accessible without code. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={cn('relative inline-block', className)}>
      <select
        className="h-11 w-full cursor-pointer appearance-none rounded-lg border border-line-strong bg-background pr-10 pl-3.5 text-foreground transition-colors hover:border-muted-foreground aria-invalid:border-destructive disabled:opacity-50"
        {...rest}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3.5 size-4 -translate-y-1/2 text-muted-foreground"
      />
    </span>
  )
}
