import { useInfiniteQuery } from '@tanstack/react-query'
import { Printer, Truck } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { claimsCsvUrl, type AdminClaimFilter, adminClaimsQuery, useOpenClaims } from '@/api/admin-redemptions'
import { ClaimState } from '@/components/claim/claim-state'
import { TrackingLink } from '@/components/claim/claim-timeline'
import { claimTexts } from '@/components/claim/texts'
import { useLanguage, useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import type { OpenedClaim, QueuedClaim } from '@/contract/types'
import { dateTime, dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { clearIfCurrent } from '@/components/ui/dialog'
import { Copyable } from '@/components/ui/copyable'
import { Facts } from '@/components/ui/facts'
import { Skeleton } from '@/components/ui/skeleton'
import { AdminList } from './admin-list'
import { actsFor, type ClaimAct, claimStates, claimSummary } from './claims/claim-acts'
import { anyTime, periodOf } from './period-filter'
import type { Scope } from './scope'
import { adminTexts } from './texts'
import { UserLink } from './user-link'

const PackingList = lazy(() => import('./claims/packing-list'))
const StepDialog = lazy(() => import('./claims/step-dialog'))

interface ClaimsPanelProps {
  initialState?: QueuedClaim['state'] | undefined
  scope?: Scope
  onShowAll?: (() => void) | undefined
}

/** All shipments by status, those to pack first. */
export default function ClaimsPanel() {
  return <ClaimList initialState="requested" />
}

export function ClaimList({ initialState, scope = {}, onShowAll }: ClaimsPanelProps) {
  const texts = useT()
  const { claims: t, list } = adminTexts.useT()
  const { states } = claimTexts.useT()
  const [chosen, setChosen] = useState<AdminClaimFilter>({ state: initialState })
  const [days, setDays] = useState(anyTime)
  const filter = { ...chosen, ...scope, ...periodOf(days) }
  const [selected, setSelected] = useState<ReadonlyMap<string, QueuedClaim>>(new Map())
  const [act, setAct] = useState<ClaimAct>()
  const [opened, setOpened] = useState<readonly OpenedClaim[]>()
  const query = useInfiniteQuery(adminClaimsQuery(filter))
  const opening = useOpenClaims({
    onDone: ({ claims }) => setOpened(claims),
    onFailed: (error) => toast({ title: t.error, description: errorText(error, texts), variant: 'destructive' }),
  })
  const claims = [...selected.values()]
  const toggle = (claim: QueuedClaim) =>
    setSelected((before) => {
      const next = new Map(before)
      if (!next.delete(claim.id)) next.set(claim.id, claim)
      return next
    })
  const changeFilter = (next: AdminClaimFilter) => {
    setChosen(next)
    setSelected(new Map())
  }
  if (opened) {
    return (
      <Suspense fallback={<Skeleton className="h-96 rounded-2xl" />}>
        <PackingList claims={opened} onBack={() => setOpened(undefined)} />
      </Suspense>
    )
  }
  return (
    <>
      <AdminList
        list={query}
        label={t.list}
        failed={t.failed}
        search={{
          label: t.search,
          value: chosen.search,
          onSearch: (search) => changeFilter({ ...chosen, search }),
        }}
        filter={{
          label: list.status,
          value: chosen.state ?? '',
          options: [['', t.all], ...claimStates.map((state) => [state, states[state]] as const)],
          onChange: (state) => changeFilter({ ...chosen, state: state || undefined }),
        }}
        period={{
          value: days,
          onChange: (next) => {
            setDays(next)
            setSelected(new Map())
          },
        }}
        onShowAll={onShowAll}
        csv={{ url: claimsCsvUrl(filter), label: t.csv }}
        selectionBar={
          <SelectionBar
            shown={query.data ?? []}
            selected={claims}
            pending={opening.isPending}
            onSelect={(next) => setSelected(new Map(next.map((claim) => [claim.id, claim])))}
            onAct={setAct}
            onOpen={() => opening.mutate({ claims: claims.map(({ id }) => id) })}
          />
        }
        empty={{ icon: <Truck />, title: t.none, text: t.noneText }}
        entryHeight="h-32"
        skeletonCount={3}
        idOf={({ id }) => id}
      >
        {(claim) => <ClaimCard claim={claim} selected={selected.has(claim.id)} onToggle={() => toggle(claim)} />}
      </AdminList>
      <DialogSlot open={act !== undefined} onClose={() => setAct(undefined)}>
        {act && (
          <StepDialog
            act={act}
            claims={claims}
            onDone={() => setSelected(new Map())}
            onClose={() => setAct(clearIfCurrent(act))}
          />
        )}
      </DialogSlot>
    </>
  )
}

/** The most claims that one request can open or update. */
const maxSelected = 100

interface SelectionBarProps {
  shown: readonly QueuedClaim[]
  selected: readonly QueuedClaim[]
  pending: boolean
  onSelect: (claims: readonly QueuedClaim[]) => void
  onAct: (act: ClaimAct) => void
  onOpen: () => void
}

/** Selects all shown claims, and lists what can be done with the selected ones. */
function SelectionBar({ shown, selected, pending, onSelect, onAct, onOpen }: SelectionBarProps) {
  const t = adminTexts.useT().claims
  const all = shown.slice(0, maxSelected)
  const acts = actsFor(selected)
  const any = selected.length > 0
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-3 text-sm">
      <label className="flex cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          checked={any && all.every(({ id }) => selected.some((claim) => claim.id === id))}
          disabled={all.length === 0}
          onChange={({ target }) => onSelect(target.checked ? all : [])}
          className="size-5 accent-gold"
        />
        <span>{t.selectAll}</span>
      </label>
      <p role="status" className="text-muted-foreground tabular-nums">
        {any && (acts.length > 0 ? t.selected(selected.length) : t.mixed)}
      </p>
      {any && (
        <div className="ml-auto flex flex-wrap gap-2">
          <Button size="sm" variant="secondary" disabled={pending} title={t.openNote} onClick={onOpen}>
            <Printer aria-hidden />
            <span>{t.open}</span>
          </Button>
          {acts.map((act, i) => (
            <Button key={act} size="sm" variant={i === 0 ? 'primary' : 'secondary'} onClick={() => onAct(act)}>
              {t.acts[act]}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

function ClaimCard({ claim, selected, onToggle }: { claim: QueuedClaim; selected: boolean; onToggle: () => void }) {
  const {
    claims: t,
    user: { copy },
  } = adminTexts.useT()
  const claimT = claimTexts.useT()
  const language = useLanguage()
  const { id, state, items, userId, walletAddress, createdAt, valueCents, shippingCents, tracking } = claim
  return (
    <article className="panel flex gap-4 rounded-2xl p-5 has-checked:border-gold-text">
      <input
        type="checkbox"
        aria-label={t.select(claimSummary(claim))}
        checked={selected}
        onChange={onToggle}
        className="mt-1 size-5 shrink-0 cursor-pointer accent-gold"
      />
      <div className="min-w-0 flex-1">
        <header className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h3 className="min-w-0 font-semibold break-words">{items.map(({ item }) => item.name).join(' · ')}</h3>
          <ClaimState state={state} />
          {tracking && <TrackingLink tracking={tracking} />}
        </header>
        <Facts
          layout="cells"
          className="mt-3"
          facts={[
            { label: t.requested, value: <time dateTime={createdAt}>{dateTime(createdAt, language)}</time> },
            { label: t.wallet, value: <UserLink id={userId} walletAddress={walletAddress} /> },
            { label: claimT.value, value: dollars(valueCents) },
            { label: claimT.shipping, value: dollars(shippingCents) },
            { label: t.id, value: <Copyable text={id} words={copy} label={t.id} />, wide: true },
          ]}
        />
      </div>
    </article>
  )
}
