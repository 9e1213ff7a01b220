import { ArrowUp } from 'lucide-react'
import { type MouseEvent, useRef } from 'react'
import { useT } from '@/i18n'
import { number } from '@/lib/format'
import { Button } from './button'

interface NewRowsButtonProps {
  /** How much has come since the list below was read. */
  count: number
  show: () => unknown
}

/** Says above a list that more has come, and shows it when asked to: until then nothing of the list moves. */
export function NewRowsButton({ count, show }: NewRowsButtonProps) {
  const t = useT().shell
  const place = useRef<HTMLDivElement>(null)
  function press({ currentTarget }: MouseEvent<HTMLElement>) {
    // The button goes.
    currentTarget.closest('main')?.focus({ preventScroll: true })
    place.current?.parentElement?.scrollIntoView({ block: 'start' })
    void show()
  }
  return (
    <div ref={place} className="sticky top-10 z-10 flex h-0 items-start justify-center print:hidden">
      {count > 0 && (
        <div className="-translate-y-7">
          <Button size="sm" className="rounded-full" onClick={press}>
            <ArrowUp aria-hidden />
            <span>{t.fresh(number(count))}</span>
          </Button>
        </div>
      )}
    </div>
  )
}
