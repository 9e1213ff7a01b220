import { useId } from 'react'
import { useLanguage } from '@/i18n'
import type { Gift } from '@/contract/types'
import { ItemCard } from '@/components/item-card'
import { itemOf } from '@/components/shown-item'
import { dateTime, dollars, shortAddress } from '@/lib/format'
import { givenSecret } from '@/lib/gift-secret'
import { Badge } from '@/components/ui/badge'
import { Facts } from '@/components/ui/facts'
import { AcceptButton } from './accept-button'
import { CancelButton } from './cancel-button'
import { LinkBox } from './link-box'
import { PersonPicture, usePersonName } from './person'
import { RefuseButton } from './refuse-button'
import { giftsTexts } from './texts'

/** A gift that the user gave or received, with what they can do. */
export function GiftCard({ gift }: { gift: Gift }) {
  const t = giftsTexts.useT().gifts
  const id = useId()
  const { side, state, from, items, valueCents, createdAt, expiresAt, endedAt } = gift
  const waiting = state === 'waiting'
  const end = waiting ? expiresAt : (endedAt ?? expiresAt)
  return (
    <article aria-labelledby={id} className="panel rounded-2xl p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {side === 'received' && <PersonPicture person={from} />}
        <div className="min-w-0 flex-1">
          <h3 id={id} className="truncate font-semibold">
            <OtherSide gift={gift} />
          </h3>
          <p className="text-sm text-muted-foreground tabular-nums">{t.worth(items.length, dollars(valueCents))}</p>
        </div>
        <Badge variant={state === 'accepted' ? 'positive' : waiting ? 'gold' : 'neutral'}>{t.states[state]}</Badge>
      </div>
      <ul className="mt-4 grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {items.map(({ inventoryId, item }) => (
          <li key={inventoryId} className="min-w-0">
            <ItemCard item={itemOf({ id: inventoryId, item })} layout="row" pictureClassName="h-16" />
          </li>
        ))}
      </ul>
      {waiting && side === 'given' && gift.link && (
        <div className="mt-5 max-w-2xl">
          <GivenLink giftId={gift.id} />
        </div>
      )}
      <div className="mt-5 flex flex-wrap items-center justify-between gap-4 border-t pt-4">
        <Facts
          layout="stacks"
          className="flex flex-wrap gap-x-8 gap-y-3 text-sm"
          facts={[
            { label: t.sent, value: <Time at={createdAt} />, className: 'font-normal' },
            {
              label: waiting ? (side === 'given' ? t.waitsUntil : t.until) : t.ended,
              value: <Time at={end} />,
              className: 'font-normal',
            },
          ]}
        />
        {waiting && (
          <div className="flex flex-wrap gap-3">
            {side === 'given' ? (
              <CancelButton gift={gift} />
            ) : (
              <>
                <RefuseButton gift={gift} />
                <AcceptButton giftId={gift.id} count={items.length} />
              </>
            )}
          </div>
        )}
      </div>
    </article>
  )
}

function Time({ at }: { at: string }) {
  return <time dateTime={at}>{dateTime(at, useLanguage())}</time>
}

/** The giver, or to whom a gift goes. */
function OtherSide({ gift: { side, from, link, walletAddress } }: { gift: Gift }) {
  const t = giftsTexts.useT().gifts
  const personName = usePersonName()
  if (side === 'received') return t.from(personName(from))
  if (walletAddress) return <span title={walletAddress}>{t.to(shortAddress(walletAddress, 6, 4))}</span>
  return link ? t.byLink : t.receiverGone
}

function GivenLink({ giftId }: { giftId: string }) {
  const t = giftsTexts.useT().gifts
  const secret = givenSecret(giftId)
  if (secret) return <LinkBox giftId={giftId} secret={secret} />
  return <p className="rounded-xl bg-muted px-3.5 py-3 text-sm text-pretty">{t.linkLost}</p>
}
