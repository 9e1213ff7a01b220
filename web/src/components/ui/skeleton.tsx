import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

/** A loading placeholder. It pulses after 2 s only, to save the frames while the page renders. */
export function Skeleton({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      aria-hidden
      className={cn(
        'animate-pulse base:rounded-md bg-muted [animation-delay:2s] motion-reduce:animate-none',
        className,
      )}
      {...rest}
    />
  )
}
