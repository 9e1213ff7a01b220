import type { ReactNode } from 'react'

/** Something that an operator has to look at. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <p className="mt-3 rounded-xl bg-warning p-3 text-sm break-words text-pretty text-warning-foreground">{children}</p>
  )
}
