import { type ComponentProps, useRef } from 'react'
import { cn } from '@/lib/cn'

const hideDelayMs = 600

/** Scrolls vertically. The scrollbar shows on hover and while scrolling. */
export function ScrollArea({ className, ...rest }: ComponentProps<'div'>) {
  const timer = useRef<number>(undefined)
  return (
    <div
      className={cn(
        'overflow-y-auto [scrollbar-color:transparent_transparent] [scrollbar-width:thin] hover:[scrollbar-color:var(--line-strong)_transparent] data-scrolling:[scrollbar-color:var(--line-strong)_transparent]',
        className,
      )}
      onScroll={({ currentTarget }) => {
        currentTarget.dataset['scrolling'] = ''
        window.clearTimeout(timer.current)
        timer.current = window.setTimeout(() => delete currentTarget.dataset['scrolling'], hideDelayMs)
      }}
      {...rest}
    />
  )
}
