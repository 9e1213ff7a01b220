import { Link } from '@tanstack/react-router'
import { Gift } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Owned } from '@/features/sellback/sellable'
import { sellbackTexts } from '@/features/sellback/texts'
import { config } from '@/lib/config'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'

interface GiveButtonProps {
  entry: Owned
  /** Opens the dialog for these entries. */
  onGive: (entries: readonly Owned[]) => void
}

/** Gives a held entry, or leads to the gift that it is part of. */
export function GiveButton({ entry, onGive }: GiveButtonProps) {
  const t = sellbackTexts.useT()
  const { walletMismatch } = useSession()
  if (entry.state === 'giving') {
    return (
      <Button asChild variant="secondary" size="sm" className="w-full">
        <Link to="/gifts" search={{ side: 'given' }} aria-label={t.seeGiftOf(entry.name)}>
          <Gift aria-hidden />
          <span>{t.seeGift}</span>
        </Link>
      </Button>
    )
  }
  if (!canGive(entry)) return null
  return (
    <Button
      variant="secondary"
      size="sm"
      aria-label={t.giveItem(entry.name)}
      disabled={walletMismatch}
      onClick={() => onGive([entry])}
      className="w-full"
    >
      <Gift aria-hidden />
      <span>{t.give}</span>
    </Button>
  )
}

interface GiveSelectedButtonProps {
  entries: readonly Owned[]
  onGive: (entries: readonly Owned[]) => void
}

/** Gives the selected entries that can be given. */
export function GiveSelectedButton({ entries, onGive }: GiveSelectedButtonProps) {
  const t = sellbackTexts.useT()
  const { walletMismatch } = useSession()
  const held = entries.filter(canGive)
  if (held.length === 0) return null
  return (
    <Button variant="secondary" size="sm" disabled={walletMismatch} onClick={() => onGive(held)}>
      {t.giveMany(held.length)}
    </Button>
  )
}

const canGive = ({ state }: Owned) => config.rules.market && state === 'held'

/** Buttons of an entry side by side, which share the width. */
export function ButtonPair({ children }: { children: ReactNode }) {
  return <div className="grid auto-cols-fr grid-flow-col gap-2 empty:hidden">{children}</div>
}
