import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ItemCard } from '@/components/item-card'
import type { ShownItem } from '@/components/shown-item'
import { usePackName } from '@/i18n/names'
import { cn } from '@/lib/cn'
import type { PackNames } from '@/lib/pack-name'

interface PullCardProps {
  item: ShownItem
  valueCents: number
  pack: PackNames & { id: string }
  /** Who pulled it, and when. */
  line: ReactNode
  /** Below it. */
  more?: ReactNode
  className?: string
}

/** A pulled card; all of it links to its pack. */
export function PullCard({ item, valueCents, pack, line, more, className }: PullCardProps) {
  const packName = usePackName()
  return (
    <ItemCard
      item={item}
      level={3}
      layout="row"
      valueCents={valueCents}
      pictureClassName="h-full lift"
      className={cn('base:h-40 items-stretch transition-colors hover:border-line-strong', className)}
    >
      <p className="mt-auto truncate text-xs text-muted-foreground">
        <Link
          to="/pack/$packId"
          params={{ packId: pack.id }}
          className="after:absolute after:inset-0 after:rounded-2xl focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-ring"
        >
          {packName(pack)}
        </Link>
      </p>
      <p className="truncate text-xs text-muted-foreground">{line}</p>
      {more && <p className="flex gap-2 text-xs">{more}</p>}
    </ItemCard>
  )
}
