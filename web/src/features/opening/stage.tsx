import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useOpeningT } from './texts'
import { cn } from '@/lib/cn'

interface StageProps {
  /** Set while the stage can be skipped. */
  skip?: (() => void) | undefined
  skipText?: string | undefined
  className?: string
  children: ReactNode
}

/** The frame of a stage. Takes focus before paint, so that keys and screen readers continue here. */
export function Stage({ skip, skipText, className, children }: StageProps) {
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!skip) frame.current?.focus({ preventScroll: true })
  }, [skip])
  return (
    <div
      ref={frame}
      tabIndex={-1}
      className={cn('relative grid min-h-full place-items-center base:px-8 base:py-16 outline-none', className)}
    >
      {children}
      {skip && <Skip text={skipText} onClick={skip} />}
    </div>
  )
}

/** A button over the whole stage: clicking anywhere, Space and Enter skip. */
function Skip({ text, onClick }: { text: string | undefined; onClick: () => void }) {
  const t = useOpeningT().opening
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), [])
  return (
    <button
      ref={button}
      type="button"
      onClick={onClick}
      className="group absolute inset-0 flex items-end justify-center pb-6 outline-none"
    >
      <span className="rounded-lg px-3 py-1.5 text-[0.8125rem] text-muted-foreground group-hover:bg-muted group-focus-visible:outline-2 group-focus-visible:outline-offset-2 group-focus-visible:outline-ring">
        {text ?? t.skip}
      </span>
    </button>
  )
}
