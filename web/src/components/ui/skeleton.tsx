import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

/** The shape of what is coming. It pulses only for who waits long: each frame of it is drawn while the page is built. */
export function Skeleton({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      aria-hidden
      className={cn('animate-pulse rounded-md bg-muted [animation-delay:2s] motion-reduce:animate-none', className)}
      {...rest}
    />
  )
}
