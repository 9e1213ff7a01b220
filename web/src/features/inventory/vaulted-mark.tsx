import type { ReactNode } from 'react'
import { VaultIcon } from '@/components/ui/card-icons'
import { cn } from '@/lib/cn'
import { inventoryTexts } from './texts'

/** The state of an entry in the vault; replaces the button that sent it there. */
export function VaultedMark() {
  return (
    <Mark icon={<VaultIcon />} className="text-positive-text">
      {inventoryTexts.useT().cards.vaulted}
    </Mark>
  )
}

/** An icon with a state's words. */
export function Mark({ icon, className, children }: { icon: ReactNode; className?: string; children: ReactNode }) {
  return (
    <p
      className={cn(
        'flex h-8 items-center justify-center gap-2 text-[0.8125rem] font-medium base:text-muted-foreground [&_svg]:size-4',
        className,
      )}
    >
      <span aria-hidden>{icon}</span>
      <span>{children}</span>
    </p>
  )
}
