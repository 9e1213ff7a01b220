import { useState } from 'react'
import { ItemCard } from '@/domain/item-card'
import { dollars } from '@/lib/format'
import { Button } from '@/ui/button'
import type { Sellable } from './sellable'
import { sellBackTexts } from './texts'

/** A line of the dialog: an item, and what the house pays for it now. */
export interface Line {
  item: Sellable
  payoutCents: number
}

/** So many lines at first, and so many more with each press. */
const step = 50

/** As high as the window leaves room for: the five of a pack are seen at once. */
const frame = '-mx-1 max-h-[max(11rem,100dvh-26rem)] overflow-y-auto rounded-xl px-1'

/** What is sold, for how much each; where that has changed since the page was loaded, what it was. */
export function Lines({ lines }: { lines: readonly Line[] }) {
  const t = sellBackTexts.useT()
  const [shown, setShown] = useState(step)
  const hidden = lines.length - shown
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <div tabIndex={0} role="group" aria-label={t.list} className={frame}>
      <ul className="divide-y divide-line">
        {lines.slice(0, shown).map(({ item, payoutCents }) => (
          <li key={item.inventoryId} className="py-2.5">
            <ItemCard
              item={item}
              look="row"
              pictureClassName="h-16"
              valueCents={payoutCents}
              badges={
                payoutCents !== item.sellBackCents && (
                  <s className="text-xs text-muted-foreground tabular-nums">
                    <span className="sr-only">{t.before}</span> {dollars(item.sellBackCents)}
                  </s>
                )
              }
            />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="ghost" size="sm" className="my-2 w-full" onClick={() => setShown(shown + step)}>
          {t.more(Math.min(step, hidden))}
        </Button>
      )}
    </div>
  )
}
