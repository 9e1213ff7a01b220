import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

/** The shape of what is coming. */
export function Skeleton({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      aria-hidden
      className={cn('animate-pulse rounded-md bg-muted motion-reduce:animate-none', className)}
      {...rest}
    />
  )
}
