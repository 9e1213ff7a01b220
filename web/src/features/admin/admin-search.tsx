import { Link, useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useAdminSearch } from '@/api/admin-users'
import type { SearchHit } from '@/contract/types'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { shortAddress } from '@/lib/format'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { adminTexts } from './texts'
import { searchOf } from './user/tabs'

/** As in the API. A pasted link can be longer than other searches. */
const longestText = 300

/** Finds a user, or something of theirs. A single result opens at once; several are listed. */
export function AdminSearch() {
  const texts = useT()
  const t = adminTexts.useT().search
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [hits, setHits] = useState<readonly SearchHit[]>()
  const search = useAdminSearch(
    (found) => {
      const [only] = found
      if (only?.userId && found.length === 1) {
        setHits(undefined)
        void navigate({ to: '/admin/users/$userId', params: { userId: only.userId }, search: searchOf(only) })
      } else setHits(found)
    },
    (error) => toast({ title: t.failed, description: errorText(error, texts), variant: 'destructive' }),
  )
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) search.mutate(text.trim())
  }
  return (
    <div className="relative w-full max-w-xl">
      <form role="search" aria-label={t.label} onSubmit={onSubmit} className="flex items-center gap-3">
        <Input
          type="search"
          aria-label={t.label}
          placeholder={t.label}
          value={text}
          maxLength={longestText}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={({ key }) => key === 'Escape' && setHits(undefined)}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" variant="secondary" className="h-11" disabled={search.isPending}>
          <Search aria-hidden />
          <span>{t.find}</span>
        </Button>
      </form>
      <p role="status" className="sr-only">
        {hits && (hits.length > 0 ? t.found(hits.length) : t.none)}
      </p>
      {hits && <Hits hits={hits} onLeave={() => setHits(undefined)} />}
    </div>
  )
}

function Hits({ hits, onLeave }: { hits: readonly SearchHit[]; onLeave: () => void }) {
  const t = adminTexts.useT().search
  const id = useId()
  const place = 'absolute inset-x-0 top-full z-20 mt-2 rounded-xl border border-line-strong bg-background shadow-lg'
  if (hits.length === 0) return <p className={`${place} px-4 py-3 text-sm text-muted-foreground`}>{t.none}</p>
  return (
    <section aria-labelledby={id} className={`${place} p-2`}>
      <h2 id={id} className="px-3 py-1.5 text-xs text-muted-foreground">
        {t.found(hits.length)}
      </h2>
      <ul className="max-h-80 overflow-y-auto">
        {hits.map((hit) => (
          <li key={`${hit.kind} ${hit.id} ${hit.userId ?? ''}`}>
            <HitLink hit={hit} onLeave={onLeave} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const linkStyle = 'flex flex-wrap items-baseline gap-x-3 rounded-lg px-3 py-2 text-sm hover:bg-raised'

function HitLink({ hit, onLeave }: { hit: SearchHit; onLeave: () => void }) {
  const t = adminTexts.useT().search
  const { kind, id, userId, walletAddress = '', firstName, handle } = hit
  const content = (
    <>
      <span className="text-muted-foreground">{t.kinds[kind]}</span>
      <span className="font-medium">{firstName || shortAddress(walletAddress || id, 6, 4)}</span>
      {handle && <span className="text-muted-foreground">{`@${handle}`}</span>}
      <span className="ml-auto font-mono text-xs text-muted-foreground">
        {kind === 'user' ? shortAddress(walletAddress, 6, 4) : shortAddress(id, 8, 6)}
      </span>
    </>
  )
  if (!userId)
    return (
      <Link to="/admin" search={{ tab: 'deposits' }} onClick={onLeave} className={linkStyle}>
        {content}
      </Link>
    )
  return (
    <Link to="/admin/users/$userId" params={{ userId }} search={searchOf(hit)} onClick={onLeave} className={linkStyle}>
      {content}
    </Link>
  )
}
