import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Owned } from '@/features/sellback/sellable'
import { sellbackTexts } from '@/features/sellback/texts'
import { config } from '@/lib/config'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { GiftIcon } from '@/components/ui/card-icons'
import { Tooltip } from '@/components/ui/tooltip'

interface GiveButtonProps {
  entry: Owned
  /** Shows only the icon, beside another button. */
  iconOnly: boolean
  /** Opens the dialog for these entries. */
  onGive: (entries: readonly Owned[]) => void
}

/** Gives a held entry, or leads to the gift that it is part of. */
export function GiveButton({ entry, iconOnly, onGive }: GiveButtonProps) {
  const t = sellbackTexts.useT()
  const { walletMismatch } = useSession()
  if (entry.state === 'giving') {
    return (
      <Button asChild variant="secondary" size="sm" className="w-full">
        <Link to="/gifts" search={{ side: 'given' }} aria-label={t.seeGiftOf(entry.name)}>
          <GiftIcon aria-hidden />
          <span>{t.seeGift}</span>
        </Link>
      </Button>
    )
  }
  if (!canGive(entry)) return null
  const button = (
    <Button
      variant="secondary"
      size="sm"
      aria-label={t.giveItem(entry.name)}
      disabled={walletMismatch}
      onClick={() => onGive([entry])}
      className={iconOnly ? 'w-8 px-0' : 'w-full'}
    >
      <GiftIcon aria-hidden />
      {!iconOnly && <span>{t.give}</span>}
    </Button>
  )
  return iconOnly ? <Tooltip text={t.give}>{button}</Tooltip> : button
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

/** A wide button and an icon beside it; either takes the whole width without the other. */
export function ButtonPair({ children }: { children: ReactNode }) {
  return <div className="grid grid-flow-col grid-cols-[minmax(0,1fr)] gap-2 empty:hidden">{children}</div>
}
