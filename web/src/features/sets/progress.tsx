import { Check } from 'lucide-react'
import type { CardSet } from '@/contract/types'
import { Badge } from '@/components/ui/badge'
import { cn } from '@/lib/cn'
import { setsTexts } from './texts'

type Counts = Pick<CardSet, 'cardCount' | 'ownedCount' | 'duplicateCount'>

/** How much of a set the visitor owns; signed out, how many cards it has. */
export function Progress({ set: { cardCount, ownedCount, duplicateCount = 0 } }: { set: Counts }) {
  const t = setsTexts.useT().sets
  if (ownedCount === undefined) return <p className="text-sm text-muted-foreground">{t.items(cardCount)}</p>
  const complete = ownedCount >= cardCount
  return (
    <div className="space-y-1.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted-foreground tabular-nums">
        <span>{t.progress(ownedCount, cardCount)}</span>
        {duplicateCount > 0 && <Badge>{t.duplicates(duplicateCount)}</Badge>}
        {complete && (
          <Badge variant="positive">
            <Check aria-hidden />
            <span>{t.complete}</span>
          </Badge>
        )}
      </p>
      <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-muted">
        <div
          className={cn('h-full rounded-full', complete ? 'bg-positive-text' : 'bg-gold')}
          style={{ width: ownedCount > 0 ? `max(6px, ${(ownedCount / cardCount) * 100}%)` : 0 }}
        />
      </div>
    </div>
  )
}
