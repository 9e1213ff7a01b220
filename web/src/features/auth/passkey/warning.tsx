import { TriangleAlert } from 'lucide-react'

/** What can go wrong with a passkey wallet. */
export function Warning({ children }: { children: string }) {
  return (
    <p className="flex gap-2.5 rounded-xl bg-warning px-3.5 py-3 text-sm text-pretty text-warning-foreground">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  )
}
