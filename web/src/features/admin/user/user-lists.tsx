import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileSearch } from 'lucide-react'
import { useState } from 'react'
import {
  bidsCsvUrl,
  bidsQuery,
  entriesCsvUrl,
  entriesQuery,
  opensCsvUrl,
  opensQuery,
  salesCsvUrl,
  salesQuery,
  sellBacksCsvUrl,
  sellBacksQuery,
  transfersCsvUrl,
  transfersQuery,
} from '@/api/admin-lists'
import { useLanguage } from '@/i18n'
import { usePackName } from '@/i18n/names'
import type { AdminBid, AdminEntry, AdminOpen, AdminSale, AdminSellBack, AdminTransfer } from '@/contract/types'
import { dateTime, dollars, number, points } from '@/lib/format'
import { Badge } from '@/components/ui/badge'
import { Copyable } from '@/components/ui/copyable'
import type { Fact } from '@/components/ui/facts'
import { AdminList } from '../admin-list'
import { anyTime, periodOf } from '../period-filter'
import { adminTexts } from '../texts'
import { UserLink } from '../user-link'
import { Record } from './record'
import type { SectionProps } from './section-props'

/** The filters of a list: its user, the only record that it shows, and what the admin chose. */
function useFilters({ user, id, onShowAll }: SectionProps) {
  const { user: t, list } = adminTexts.useT()
  const [days, setDays] = useState(anyTime)
  return {
    filter: { user: user.id, id, ...periodOf(days) },
    shared: {
      failed: t.listFailed,
      period: { value: days, onChange: setDays },
      onShowAll,
      empty: { icon: <FileSearch />, title: t.none, text: t.noneText },
      entryHeight: 'h-24',
      skeletonCount: 5,
    },
    csv: (url: string) => ({ url, label: t.csv }),
    /** A select of the values that a list can be limited to. */
    choice: <V extends string>(
      label: 'status' | 'kind',
      names: Readonly<globalThis.Record<V, string>>,
      value: V | undefined,
      onChange: (value: V | undefined) => void,
    ) => ({
      label: list[label],
      value: value ?? ('' as const),
      options: [
        ['', list.all] as const,
        ...(Object.entries(names) as [V, string][]).map(([option, name]) => [option, name] as const),
      ],
      onChange: (next: V | '') => onChange(next || undefined),
    }),
  }
}

function RecordId({ label, id }: { label: string; id: string }) {
  return <Copyable text={id} words={adminTexts.useT().user.copy} label={label} />
}

const idFact = (label: string, id: string): Fact => ({ label, value: <RecordId label={label} id={id} />, wide: true })

export function Movements(props: SectionProps) {
  const t = adminTexts.useT().user
  const { filter, shared, csv, choice } = useFilters(props)
  const [kind, setKind] = useState<keyof typeof t.transferKinds>()
  const chosen = { ...filter, kind }
  return (
    <AdminList
      list={useInfiniteQuery(transfersQuery(chosen))}
      label={t.tab.movements}
      kind={choice('kind', t.transferKinds, kind, setKind)}
      csv={csv(transfersCsvUrl(chosen))}
      idOf={({ id }) => id}
      {...shared}
    >
      {(transfer) => <Movement transfer={transfer} userId={props.user.id} />}
    </AdminList>
  )
}

function Movement({ transfer, userId }: { transfer: AdminTransfer; userId: string }) {
  const t = adminTexts.useT().user
  const { kind, amountCents, fromUserId, toUserId, from, to, ref, note, createdAt } = transfer
  const names: Readonly<globalThis.Record<string, string>> = t.transferKinds
  const received = toUserId === userId
  const balance = received ? transfer.toBalanceCents : transfer.fromBalanceCents
  return (
    <Record
      title={names[kind] ?? kind}
      at={createdAt}
      facts={[
        { label: t.amount, value: (received ? '+' : '−') + points(amountCents) },
        { label: t.balanceAfter, value: balance === undefined ? '—' : points(balance) },
        {
          label: t.with,
          value: received ? (
            <Account account={from} userId={fromUserId} of={userId} />
          ) : (
            <Account account={to} userId={toUserId} of={userId} />
          ),
        },
        idFact(t.reference, ref),
        ...(note ? [{ label: t.note, value: note, wide: true, className: 'break-words' }] : []),
      ]}
    />
  )
}

interface AccountProps {
  /** An address, or the name of another account. */
  account: string
  userId: string | undefined
  /** The user whose page this is. */
  of: string
}

/** The other side of a transfer: another user, money held for bids, or an account of Kaibao. */
function Account({ account, userId, of }: AccountProps) {
  const t = adminTexts.useT().user
  if (userId) return <UserLink id={userId} walletAddress={account} />
  const [, kind, name = ''] = /^(bids|house):(.+)$/.exec(account) ?? []
  if (kind === 'house') return t.kaibaoAccount(name)
  if (kind !== 'bids') return account
  return name === of ? t.held : <UserLink id={name} walletAddress={account} name={t.bidder} />
}

export function Opens(props: SectionProps) {
  const t = adminTexts.useT().user
  const { filter, shared, csv } = useFilters(props)
  return (
    <AdminList
      list={useInfiniteQuery(opensQuery(filter))}
      label={t.tab.opens}
      csv={csv(opensCsvUrl(filter))}
      idOf={({ openId }) => openId}
      {...shared}
    >
      {(open) => <Open open={open} />}
    </AdminList>
  )
}

const linkStyle = 'rounded-sm text-gold-text underline underline-offset-4'

function Open({ open }: { open: AdminOpen }) {
  const t = adminTexts.useT().user
  const packName = usePackName()
  const { openId, userId, state, priceCents, totalValueCents, nonce, items, createdAt } = open
  const isDrawn = state === 'open'
  return (
    <Record
      title={
        isDrawn ? (
          <Link to="/verify/$openId" params={{ openId }} className={linkStyle}>
            {t.openOf(packName(open))}
          </Link>
        ) : (
          t.openOf(packName(open))
        )
      }
      badge={!isDrawn && <Badge variant={state === 'sealed' ? 'outline' : 'neutral'}>{t.openStates[state]}</Badge>}
      at={createdAt}
      facts={[
        { label: t.price, value: dollars(priceCents) },
        ...(isDrawn ? [{ label: t.value, value: dollars(totalValueCents) }] : []),
        { label: t.nonce, value: number(nonce) },
        idFact(t.recordId, openId),
      ]}
    >
      {isDrawn && (
        <ul className="mt-3 divide-y divide-line border-t border-line text-sm">
          {items.map((item) => (
            <li key={item.inventoryId} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <Link
                to="/admin/users/$userId"
                params={{ userId: item.ownerId }}
                search={{ tab: 'entries', id: item.inventoryId }}
                className={linkStyle}
              >
                {item.name}
              </Link>
              <Badge>{t.entryStates[item.state]}</Badge>
              {item.ownerId !== userId && <span className="text-muted-foreground">{t.otherOwner}</span>}
              <span className="ml-auto tabular-nums">{dollars(item.valueCents)}</span>
            </li>
          ))}
        </ul>
      )}
    </Record>
  )
}

export function Entries(props: SectionProps) {
  const t = adminTexts.useT().user
  const { filter, shared, csv, choice } = useFilters(props)
  const [state, setState] = useState<AdminEntry['state']>()
  const [kind, setKind] = useState<AdminEntry['acquiredFrom']>()
  const chosen = { ...filter, state, kind }
  return (
    <AdminList
      list={useInfiniteQuery(entriesQuery(chosen))}
      label={t.tab.entries}
      filter={choice('status', t.entryStates, state, setState)}
      kind={choice('kind', t.sources, kind, setKind)}
      csv={csv(entriesCsvUrl(chosen))}
      idOf={({ id }) => id}
      {...shared}
    >
      {(entry) => <Entry entry={entry} />}
    </AdminList>
  )
}

function Entry({ entry }: { entry: AdminEntry }) {
  const t = adminTexts.useT().user
  const packName = usePackName()
  const { id, itemId, itemName, state, vaulted, salePriceCents, openId, acquiredFrom, acquiredAt } = entry
  return (
    <Record
      title={
        <Link to="/item/$itemId" params={{ itemId }} className={linkStyle}>
          {itemName}
        </Link>
      }
      badge={
        <>
          <Badge variant={state === 'delivered' ? 'positive' : 'neutral'}>
            {salePriceCents === undefined ? t.entryStates[state] : t.forSaleAt(dollars(salePriceCents))}
          </Badge>
          {vaulted && <Badge variant="outline">{t.vaulted}</Badge>}
        </>
      }
      at={acquiredAt}
      facts={[
        { label: t.valueNow, value: dollars(entry.baseValueCents) },
        { label: t.from, value: t.sources[acquiredFrom] },
        { label: t.pulledIn, value: packName(entry) },
        idFact(t.openId, openId),
        idFact(t.recordId, id),
      ]}
    />
  )
}

export function Trades(props: SectionProps) {
  const t = adminTexts.useT().user
  const { filter, shared, csv, choice } = useFilters(props)
  const [kind, setKind] = useState<AdminSale['kind']>()
  const chosen = { ...filter, kind }
  return (
    <AdminList
      list={useInfiniteQuery(salesQuery(chosen))}
      label={t.tab.trades}
      kind={choice('kind', t.tradeKinds, kind, setKind)}
      csv={csv(salesCsvUrl(chosen))}
      idOf={({ id }) => id}
      {...shared}
    >
      {(sale) => <Trade sale={sale} userId={props.user.id} />}
    </AdminList>
  )
}

function Trade({ sale, userId }: { sale: AdminSale; userId: string }) {
  const t = adminTexts.useT().user
  const { kind, itemName, seller, sellerId, buyer, buyerId, priceCents, feeCents, valueCents, id, createdAt } = sale
  const sold = sellerId === userId
  return (
    <Record
      title={itemName}
      badge={
        <>
          <Badge variant="outline">{sold ? t.sold : t.bought}</Badge>
          <Badge>{t.tradeKinds[kind]}</Badge>
        </>
      }
      at={createdAt}
      facts={[
        { label: t.price, value: dollars(priceCents) },
        { label: t.fee, value: dollars(feeCents) },
        { label: t.value, value: dollars(valueCents) },
        {
          label: t.with,
          value: sold ? (
            <UserLink id={buyerId} walletAddress={buyer} />
          ) : (
            <UserLink id={sellerId} walletAddress={seller} />
          ),
        },
        idFact(t.recordId, id),
      ]}
    />
  )
}

export function SellBacks(props: SectionProps) {
  const t = adminTexts.useT().user
  const { filter, shared, csv, choice } = useFilters(props)
  const [kind, setKind] = useState<AdminSellBack['quote']>()
  const chosen = { ...filter, kind }
  return (
    <AdminList
      list={useInfiniteQuery(sellBacksQuery(chosen))}
      label={t.tab.sellBacks}
      kind={choice('kind', t.bases, kind, setKind)}
      csv={csv(sellBacksCsvUrl(chosen))}
      idOf={({ inventoryId }) => inventoryId}
      {...shared}
    >
      {({ itemName, payoutCents, valueCents, quote, inventoryId, createdAt }) => (
        <Record
          title={itemName}
          at={createdAt}
          facts={[
            { label: t.payout, value: points(payoutCents) },
            { label: t.value, value: dollars(valueCents) },
            { label: t.basis, value: t.bases[quote] },
            idFact(t.recordId, inventoryId),
          ]}
        />
      )}
    </AdminList>
  )
}

export function Bids(props: SectionProps) {
  const t = adminTexts.useT().user
  const { filter, shared, csv, choice } = useFilters(props)
  const [state, setState] = useState<AdminBid['state']>()
  const [kind, setKind] = useState<AdminBid['kind']>()
  const chosen = { ...filter, state, kind }
  return (
    <AdminList
      list={useInfiniteQuery(bidsQuery(chosen))}
      label={t.tab.bids}
      filter={choice('status', t.bidStates, state, setState)}
      kind={choice('kind', t.bidKinds, kind, setKind)}
      csv={csv(bidsCsvUrl(chosen))}
      idOf={({ id }) => id}
      {...shared}
    >
      {(bid) => <Bid bid={bid} />}
    </AdminList>
  )
}

function Bid({ bid }: { bid: AdminBid }) {
  const t = adminTexts.useT().user
  const language = useLanguage()
  const { id, kind, itemName, series, rarity, certType, minGrade, pegPercent, state, createdAt, expiresAt, endedAt } =
    bid
  const criterion = [series, rarity, certType, minGrade && t.minGrade(minGrade)].filter(Boolean).join(' · ')
  return (
    <Record
      title={itemName ?? (criterion || t.anyItem)}
      badge={
        <>
          <Badge variant={state === 'open' ? 'outline' : 'neutral'}>{t.bidStates[state]}</Badge>
          <Badge>{t.bidKinds[kind]}</Badge>
        </>
      }
      at={createdAt}
      facts={[
        pegPercent === undefined
          ? { label: t.price, value: dollars(bid.priceCents) }
          : { label: t.max, value: `${dollars(bid.priceCents)} · ${number(pegPercent)}%` },
        { label: t.remaining, value: t.quantityOf(bid.remaining, bid.quantity) },
        { label: t.held, value: points(bid.heldCents) },
        endedAt
          ? { label: t.ended, value: dateTime(endedAt, language) }
          : { label: t.expires, value: dateTime(expiresAt, language) },
        idFact(t.recordId, id),
      ]}
    />
  )
}
