import { type ReactNode, useEffect, useRef } from 'react'

interface StepPanelProps {
  title: string
  text: string
  children: ReactNode
}

/** A step of the flow. Its heading takes the focus, so that screen readers announce the step. */
export function StepPanel({ title, text, children }: StepPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="panel rounded-2xl p-6">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        {title}
      </h2>
      <p className="mt-1 text-sm text-pretty text-muted-foreground">{text}</p>
      {children}
    </section>
  )
}
