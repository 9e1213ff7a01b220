import { ArrowUp } from 'lucide-react'
import { type MouseEvent, useRef } from 'react'
import { useT } from '@/i18n'
import { number } from '@/lib/format'
import { Button } from './button'

interface NewRowsButtonProps {
  /** Number of rows since the list was loaded. */
  count: number
  show: () => unknown
}

/** Offers to show new rows above a list, so that the list doesn't move by itself. */
export function NewRowsButton({ count, show }: NewRowsButtonProps) {
  const t = useT().shell
  const anchor = useRef<HTMLDivElement>(null)
  function onClick({ currentTarget }: MouseEvent<HTMLElement>) {
    // The focused button is about to unmount.
    currentTarget.closest('main')?.focus({ preventScroll: true })
    anchor.current?.parentElement?.scrollIntoView({ block: 'start' })
    void show()
  }
  return (
    <div ref={anchor} className="sticky top-10 z-10 flex h-0 items-start justify-center print:hidden">
      {count > 0 && (
        <div className="-translate-y-7">
          <Button size="sm" className="rounded-full" onClick={onClick}>
            <ArrowUp aria-hidden />
            <span>{t.fresh(number(count))}</span>
          </Button>
        </div>
      )}
    </div>
  )
}
