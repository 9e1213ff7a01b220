import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, Printer, Search, Truck } from 'lucide-react'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { claimsCsvUrl, type AdminClaimFilter, adminClaimsQuery, useOpenClaims } from '@/api/admin-redemptions'
import { ClaimState } from '@/components/claim/claim-state'
import { TrackingLink } from '@/components/claim/claim-timeline'
import { claimTexts } from '@/components/claim/texts'
import { useLanguage, useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import type { OpenedClaim, QueuedClaim } from '@/contract/types'
import { dateTime, dollars, shortAddress } from '@/lib/format'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { clearIfCurrent } from '@/components/ui/dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { Facts } from '@/components/ui/facts'
import { Input } from '@/components/ui/input'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { brief, type ClaimAct, claimStates, waysOf } from './claims/ways'
import { adminTexts } from './texts'

const PackingList = lazy(() => import('./claims/packing-list'))
const StepDialog = lazy(() => import('./claims/step-dialog'))

/** Everybody's claims, those first that wait to be packed. */
export default function ClaimsPanel() {
  const t = adminTexts.useT().claims
  const texts = useT()
  const [filter, setFilter] = useState<AdminClaimFilter>({ state: 'requested' })
  const [picked, setPicked] = useState<ReadonlyMap<string, QueuedClaim>>(new Map())
  const [doing, setDoing] = useState<ClaimAct>()
  const [opened, setOpened] = useState<readonly OpenedClaim[]>()
  const list = useInfiniteQuery(adminClaimsQuery(filter))
  const opening = useOpenClaims({
    onDone: ({ claims }) => setOpened(claims),
    onFailed: (error) => toast({ title: t.error, description: errorText(error, texts), variant: 'destructive' }),
  })
  const chosen = [...picked.values()]
  const pick = (claim: QueuedClaim) =>
    setPicked((before) => {
      const next = new Map(before)
      if (!next.delete(claim.id)) next.set(claim.id, claim)
      return next
    })
  if (opened) {
    return (
      <Suspense fallback={<Skeleton className="h-96 rounded-2xl" />}>
        <PackingList claims={opened} onBack={() => setOpened(undefined)} />
      </Suspense>
    )
  }
  return (
    <div className="space-y-4">
      <Finder
        filter={filter}
        onFind={(next) => {
          setFilter(next)
          setPicked(new Map())
        }}
      />
      <Bar
        shown={list.data ?? []}
        chosen={chosen}
        pending={opening.isPending}
        onAll={(claims) => setPicked(new Map(claims.map((claim) => [claim.id, claim])))}
        onAct={setDoing}
        onOpen={() => opening.mutate({ claims: chosen.map(({ id }) => id) })}
      />
      <LoadedGrid
        list={list}
        label={t.list}
        failed={t.failed}
        columns="grid-cols-1"
        gap={12}
        skeleton={<Skeleton className="h-32 rounded-2xl" />}
        places={3}
        idOf={({ id }) => id}
        empty={
          <EmptyState icon={<Truck />} title={t.none} text={t.noneText} level={3} className="panel rounded-2xl py-10" />
        }
      >
        {(claim) => <Card claim={claim} picked={picked.has(claim.id)} onPick={() => pick(claim)} />}
      </LoadedGrid>
      <DialogSlot open={doing !== undefined} onClose={() => setDoing(undefined)}>
        {doing && (
          <StepDialog
            act={doing}
            claims={chosen}
            onDone={() => setPicked(new Map())}
            onClose={() => setDoing(clearIfCurrent(doing))}
          />
        )}
      </DialogSlot>
    </div>
  )
}

function Finder({ filter, onFind }: { filter: AdminClaimFilter; onFind: (filter: AdminClaimFilter) => void }) {
  const t = adminTexts.useT().claims
  const { states } = claimTexts.useT()
  const [search, setSearch] = useState('')
  const find = (event: FormEvent) => {
    event.preventDefault()
    onFind({ ...filter, search: search.trim() || undefined })
  }
  return (
    <form role="search" onSubmit={find} className="flex flex-wrap items-center gap-3">
      <Select
        aria-label={t.shown}
        value={filter.state ?? ''}
        onChange={({ target }) => onFind({ ...filter, state: claimStates.find((one) => one === target.value) })}
        className="w-40"
      >
        <option value="">{t.all}</option>
        {claimStates.map((one) => (
          <option key={one} value={one}>
            {states[one]}
          </option>
        ))}
      </Select>
      <Input
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        autoComplete="off"
        className="min-w-0 flex-1 basis-56 lg:max-w-88"
      />
      <Button type="submit" variant="secondary" className="h-11">
        <Search aria-hidden />
        <span>{t.find}</span>
      </Button>
      <Button asChild variant="secondary" className="ml-auto h-11">
        <a href={claimsCsvUrl(filter)} download>
          <Download aria-hidden />
          <span>{t.csv}</span>
        </a>
      </Button>
    </form>
  )
}

interface BarProps {
  shown: readonly QueuedClaim[]
  chosen: readonly QueuedClaim[]
  pending: boolean
  onAll: (claims: readonly QueuedClaim[]) => void
  onAct: (act: ClaimAct) => void
  onOpen: () => void
}

/** What can be done with the claims that are selected. */
function Bar({ shown, chosen, pending, onAll, onAct, onOpen }: BarProps) {
  const t = adminTexts.useT().claims
  const all = shown.slice(0, 100)
  const open = waysOf(chosen)
  const some = chosen.length > 0
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-3 text-sm">
      <label className="flex cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          checked={some && all.every(({ id }) => chosen.some((one) => one.id === id))}
          disabled={all.length === 0}
          onChange={({ target }) => onAll(target.checked ? all : [])}
          className="size-5 accent-gold"
        />
        <span>{t.selectAll}</span>
      </label>
      <p role="status" className="text-muted-foreground tabular-nums">
        {some && (open.length > 0 ? t.selected(chosen.length) : t.mixed)}
      </p>
      {some && (
        <div className="ml-auto flex flex-wrap gap-2">
          <Button size="sm" variant="secondary" disabled={pending} title={t.openNote} onClick={onOpen}>
            <Printer aria-hidden />
            <span>{t.open}</span>
          </Button>
          {open.map((act, at) => (
            <Button key={act} size="sm" variant={at === 0 ? 'primary' : 'secondary'} onClick={() => onAct(act)}>
              {t.acts[act]}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

function Card({ claim, picked, onPick }: { claim: QueuedClaim; picked: boolean; onPick: () => void }) {
  const t = adminTexts.useT().claims
  const words = claimTexts.useT()
  const language = useLanguage()
  const { id, state, items, walletAddress, createdAt, valueCents, shippingCents, tracking } = claim
  return (
    <article className="panel flex gap-4 rounded-2xl p-5 has-checked:border-gold-text">
      <input
        type="checkbox"
        aria-label={t.select(brief(claim))}
        checked={picked}
        onChange={onPick}
        className="mt-1 size-5 shrink-0 cursor-pointer accent-gold"
      />
      <div className="min-w-0 flex-1">
        <header className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h3 className="min-w-0 font-semibold break-words">{items.map(({ item }) => item.name).join(' · ')}</h3>
          <ClaimState state={state} />
          {tracking && <TrackingLink tracking={tracking} />}
        </header>
        <Facts
          look="cells"
          className="mt-3"
          facts={[
            { label: t.requested, value: <time dateTime={createdAt}>{dateTime(createdAt, language)}</time> },
            { label: t.wallet, value: <span title={walletAddress}>{shortAddress(walletAddress, 6, 4)}</span> },
            { label: words.value, value: dollars(valueCents) },
            { label: words.shipping, value: dollars(shippingCents) },
            { label: t.id, value: <span title={id}>{id.slice(-12)}</span> },
          ]}
        />
      </div>
    </article>
  )
}
