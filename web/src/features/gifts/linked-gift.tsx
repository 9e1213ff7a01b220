import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { Gift as GiftIcon, Link2Off, SearchX, Wallet } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useLinkedGift } from '@/api/gifts'
import { ItemCard } from '@/components/item-card'
import { useLanguage } from '@/i18n'
import type { LinkedGift as LinkedGiftView } from '@/contract/types'
import { cn } from '@/lib/cn'
import { config } from '@/lib/config'
import { dateTime, dollars } from '@/lib/format'
import { givenSecret, openGiftLink, useOpenedLinks } from '@/lib/gift-secret'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { AcceptButton } from './accept-button'
import { GiftsOffNotice } from './gifts-off-notice'
import { LinkBox } from './link-box'
import { PersonPicture } from './person'
import { giftsTexts } from './texts'

/** The gift of a link, for visitors with or without a session. */
export function LinkedGift({ id }: { id: string }) {
  const t = giftsTexts.useT().linked
  usePageTitle(t.title)
  const opened = useOpenedSecret(id)
  const gift = useLinkedGift(id, opened ?? 0)
  if (opened === 0) {
    return (
      <EmptyState level={1} icon={<Link2Off />} title={t.incomplete} text={t.incompleteText} action={<ToPacks />} />
    )
  }
  return (
    <Loaded
      query={gift}
      failed={t.failed}
      skeleton={<Skeleton className="mx-auto h-[36rem] max-w-3xl rounded-3xl" />}
      unknown={<EmptyState level={1} icon={<SearchX />} title={t.unknown} text={t.unknownText} action={<ToPacks />} />}
    >
      {(view) => <Offer key={id} id={id} gift={view} />}
    </Loaded>
  )
}

/**
 * Reads the secret from the address and removes it there, so that neither history nor a screenshot contains it. Returns
 * how many links this page has read, 0 without a secret, and undefined before it has looked.
 */
function useOpenedSecret(id: string): number | undefined {
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  useEffect(() => {
    openGiftLink(id, hash)
    if (hash) void navigate({ to: '/gift/$giftId', params: { giftId: id }, replace: true, resetScroll: false })
  }, [id, hash, navigate])
  return useOpenedLinks(id)
}

function ToPacks() {
  const t = giftsTexts.useT().linked
  return (
    <Button asChild>
      <Link to="/open-packs">{t.toPacks}</Link>
    </Button>
  )
}

interface OfferProps {
  id: string
  gift: LinkedGiftView
}

function Offer({ id, gift }: OfferProps) {
  const t = giftsTexts.useT().linked
  const [mine, setMine] = useState(false)
  if (mine) {
    return (
      <Panel gift={gift} heading={t.mineTitle} text={t.mineText}>
        <ToCollection />
      </Panel>
    )
  }
  if (gift.own && gift.state === 'waiting') return <OwnOffer id={id} gift={gift} />
  if (gift.state === 'waiting') return <WaitingOffer id={id} gift={gift} onAccepted={() => setMine(true)} />
  const { title, text } = t.ended[gift.state]
  return <EmptyState level={1} icon={<GiftIcon />} title={title} text={text} action={<ToPacks />} />
}

function ToCollection() {
  const t = giftsTexts.useT().linked
  return (
    <Button asChild size="lg">
      <Link to="/my-collection">{t.toCollection}</Link>
    </Button>
  )
}

function WaitingOffer({ id, gift, onAccepted }: OfferProps & { onAccepted: () => void }) {
  const { linked: t, gifts } = giftsTexts.useT()
  const language = useLanguage()
  const { status, user, connect } = useSession()
  const { firstName } = gift.from
  return (
    <Panel
      gift={gift}
      heading={firstName ? t.heading(firstName) : t.headingAnonymous}
      text={t.until(dateTime(gift.expiresAt, language))}
      picture={<PersonPicture person={gift.from} className="size-14 text-base" />}
    >
      {!config.rules.market ? (
        <p className="text-sm">{gifts.marketOff}</p>
      ) : (
        <>
          {status === 'signed-in' ? (
            <>
              <GiftsOffNotice />
              {user?.acceptsGifts && (
                <AcceptButton giftId={id} count={gift.items.length} byLink size="lg" onAccepted={onAccepted} />
              )}
            </>
          ) : (
            <Button size="lg" disabled={status === 'loading'} onClick={connect}>
              <Wallet aria-hidden />
              <span>{t.connect}</span>
            </Button>
          )}
          <ul className="max-w-prose space-y-1 text-sm text-pretty text-muted-foreground">
            <li>{t.free}</li>
            <li>{t.first}</li>
            <li>{t.leave}</li>
          </ul>
        </>
      )}
    </Panel>
  )
}

/** The gift as its giver sees it. */
function OwnOffer({ id, gift }: OfferProps) {
  const t = giftsTexts.useT().linked
  const language = useLanguage()
  const secret = givenSecret(id)
  return (
    <Panel gift={gift} heading={t.ownHeading} text={t.expires(dateTime(gift.expiresAt, language))}>
      <p className="text-sm text-muted-foreground">{secret ? t.own : t.ownLost}</p>
      {secret && (
        <div className="w-full max-w-xl text-left">
          <LinkBox giftId={id} secret={secret} />
        </div>
      )}
      <Button asChild variant="secondary">
        <Link to="/gifts" search={{ side: 'given' }}>
          {t.toGiven}
        </Link>
      </Button>
    </Panel>
  )
}

interface PanelProps {
  gift: LinkedGiftView
  heading: string
  text: string
  picture?: ReactNode
  children: ReactNode
}

/** What a gift holds, and what can be done with it. */
function Panel({ gift: { items, valueCents }, heading, text, picture, children }: PanelProps) {
  const t = giftsTexts.useT().gifts
  const single = items.length === 1
  return (
    <section className="panel mx-auto flex max-w-3xl flex-col items-center gap-5 rounded-3xl px-6 py-10 text-center">
      <div className="flex flex-col items-center">
        {picture ?? <GiftIcon aria-hidden className="size-10 text-gold-text" />}
        <h1 className="mt-4 text-2xl font-semibold text-balance">{heading}</h1>
        <p className="mt-1 text-muted-foreground tabular-nums">
          <span>{t.worth(items.length, dollars(valueCents))}</span>
          <span aria-hidden>{' · '}</span>
          <span>{text}</span>
        </p>
      </div>
      <ul className={cn('grid w-full gap-4 text-left', single ? 'max-w-56' : 'grid-cols-2 sm:grid-cols-3')}>
        {items.map(({ certification, ...item }, index) => (
          <li key={index}>
            <ItemCard
              item={{ ...item, certType: certification }}
              level={2}
              valueCents={item.baseValueCents}
              pictureClassName="w-4/5"
            />
          </li>
        ))}
      </ul>
      {children}
    </section>
  )
}
