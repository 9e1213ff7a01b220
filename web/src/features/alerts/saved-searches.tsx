import { Link } from '@tanstack/react-router'
import { Bell, BellOff, BookmarkPlus, X } from 'lucide-react'
import { lazy, type ReactNode, startTransition, Suspense, useState } from 'react'
import { useDeleteSearch, useSavedSearches, useSaveSearch } from '@/api/saved-searches'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import type { SavedSearch } from '@/contract/types'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { StableList } from '@/components/ui/stable-list'
import { Button } from '@/components/ui/button'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { alertsTexts } from './texts'

const SaveDialog = lazy(() => import('./save-dialog'))

interface SavedSearchesProps {
  /** The market's filter as a URL query; empty without a filter. */
  query: string
}

/** The user's saved searches, and a button to save the current filter. */
export default function SavedSearches({ query }: SavedSearchesProps) {
  const t = alertsTexts.useT().searches
  return (
    <section aria-label={t.label} className="mb-6 flex min-h-9 flex-wrap items-center gap-2">
      {query && <SaveButton query={query} />}
      <Loaded
        query={useSavedSearches()}
        failed={t.failed}
        inlineErrorClass="text-sm"
        withCause
        skeleton={<Skeleton className="h-9 w-40 rounded-full" />}
        empty={query ? null : <p className="text-sm text-muted-foreground">{t.none}</p>}
      >
        {(searches) => (
          <StableList rows={searches} idOf={({ id }) => id} className="contents" rowClassName="max-w-full">
            {(search) => <Search search={search} />}
          </StableList>
        )}
      </Loaded>
    </section>
  )
}

function SaveButton({ query }: SavedSearchesProps) {
  const t = alertsTexts.useT().searches
  const { walletMismatch } = useSession()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        disabled={walletMismatch}
        onClick={() => startTransition(() => setOpen(true))}
      >
        <BookmarkPlus aria-hidden />
        <span>{t.save}</span>
      </Button>
      <Suspense>{open && <SaveDialog query={query} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

function Search({ search: { id, name, query, alert } }: { search: SavedSearch }) {
  const texts = useT()
  const t = alertsTexts.useT().searches
  const { walletMismatch } = useSession()
  const onError = (error: Error) =>
    toast({ title: t.changeFailed, description: errorText(error, texts), variant: 'destructive' })
  const changing = useSaveSearch({ onError })
  const deleting = useDeleteSearch({ onError })
  const pending = walletMismatch || changing.isPending || deleting.isPending
  return (
    <span className="inline-flex h-9 max-w-full items-center rounded-full border border-line bg-muted pl-3.5 text-[0.8125rem] font-medium">
      <Link
        to="/marketplace"
        search={Object.fromEntries(new URLSearchParams(query))}
        className="truncate rounded-sm hover:text-gold-text"
      >
        {name}
      </Link>
      <Small
        label={alert ? t.alertOff(name) : t.alertOn(name)}
        disabled={pending}
        onClick={() => changing.mutate({ name, query, alert: !alert })}
      >
        {alert ? <Bell aria-hidden className="text-gold-text" /> : <BellOff aria-hidden />}
      </Small>
      <Small label={t.remove(name)} disabled={pending} onClick={() => deleting.mutate(id)}>
        <X aria-hidden />
      </Small>
    </span>
  )
}

interface SmallProps {
  label: string
  disabled: boolean
  onClick: () => void
  children: ReactNode
}

function Small({ label, children, ...rest }: SmallProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="grid size-8 shrink-0 place-items-center rounded-full text-muted-foreground enabled:hover:text-foreground disabled:opacity-50 [&_svg]:size-3.5"
      {...rest}
    >
      {children}
    </button>
  )
}
