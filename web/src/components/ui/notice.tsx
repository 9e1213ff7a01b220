import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** An important notice, announced immediately. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="mb-4 flex gap-2.5 rounded-xl bg-warning px-3.5 py-3 text-sm text-warning-foreground">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  )
}
