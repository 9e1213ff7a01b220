import { type ReactNode, useId } from 'react'

interface SectionProps {
  title: string
  text?: string
  children: ReactNode
}

export function Section({ title, text, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {text && <p className="mt-0.5 text-sm text-muted-foreground">{text}</p>}
      <div className="mt-4">{children}</div>
    </section>
  )
}
