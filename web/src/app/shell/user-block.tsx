import { Link } from '@tanstack/react-router'
import { Pencil, Plus, Wallet } from 'lucide-react'
import { lazy, startTransition, Suspense, useState } from 'react'
import { useWallet } from '@/api/wallet'
import { useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { config } from '@/lib/config'
import { useSession } from '@/lib/session'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { Loaded } from '@/components/ui/loaded'
import { Points } from '@/components/points'
import { Skeleton } from '@/components/ui/skeleton'
import { Tooltip } from '@/components/ui/tooltip'
import { userLines } from './user-lines'

// Nothing of it is in the first load of any page.
const Bell = lazy(() => import('@/features/alerts/bell'))
const ProfileDialog = lazy(() => import('@/features/auth/profile-dialog'))

/** Who is signed in and what they have; both stay in sight when the sidebar is collapsed. */
export function UserBlock({ expanded }: { expanded: boolean }) {
  const { status } = useSession()
  return (
    <div className={cn('border-t', expanded ? 'p-4' : 'px-2 py-4')}>
      {status === 'loading' && <Skeleton className={cn('rounded-lg', config.session && expanded ? 'h-26' : 'h-11')} />}
      {status === 'signed-out' && <Connect expanded={expanded} />}
      {status === 'signed-in' && <SignedIn expanded={expanded} />}
    </div>
  )
}

function Connect({ expanded }: { expanded: boolean }) {
  const t = useT().shell.user
  const { connect } = useSession()
  return expanded ? (
    <Button className="w-full" onClick={connect}>
      <Wallet aria-hidden />
      <span>{t.connectWallet}</span>
    </Button>
  ) : (
    <Tooltip text={t.connectWallet} side="right">
      <Button size="icon" className="mx-auto flex size-11" aria-label={t.connectWallet} onClick={connect}>
        <Wallet aria-hidden />
      </Button>
    </Tooltip>
  )
}

function SignedIn({ expanded }: { expanded: boolean }) {
  const t = useT().shell.user
  const { walletMismatch, connect } = useSession()
  return (
    <div className={cn('flex flex-col gap-3', !expanded && 'items-center')}>
      <div className={cn('flex items-center', expanded ? 'gap-1' : 'flex-col-reverse gap-3')}>
        <Who expanded={expanded} />
        <Suspense fallback={<span className="size-9 shrink-0" />}>
          <Bell />
        </Suspense>
      </div>
      {walletMismatch ? (
        <div className="space-y-2 text-xs text-warning-foreground">
          {expanded && <p>{t.walletMismatch}</p>}
          <Button size="sm" className="w-full" onClick={connect}>
            {t.signIn}
          </Button>
        </div>
      ) : (
        <Balance expanded={expanded} />
      )}
    </div>
  )
}

/** The visitor, and the way to another name and picture. */
function Who({ expanded }: { expanded: boolean }) {
  const t = useT().shell.user
  const { user: signedIn, address, walletMismatch } = useSession()
  const user = walletMismatch ? null : signedIn
  const [editing, setEditing] = useState(false)
  const lines = userLines(user, address, t.fallback)
  const button = (
    <button
      type="button"
      disabled={walletMismatch}
      onClick={() => startTransition(() => setEditing(true))}
      className={cn(
        'group flex min-w-0 items-center gap-3 text-left transition-colors enabled:hover:bg-muted',
        expanded ? '-my-1.5 -ml-2 flex-1 rounded-lg px-2 py-1.5' : 'rounded-full',
      )}
    >
      <span className="relative shrink-0">
        <Avatar name={lines.name} imageUrl={user?.picture ?? ''} address={address} />
        {expanded && !walletMismatch && (
          <Pencil
            aria-hidden
            className="absolute -right-1 -bottom-1 size-4.5 rounded-full border bg-card p-[3px] text-muted-foreground group-hover:text-foreground"
          />
        )}
      </span>
      <span className={cn('min-w-0 flex-1 leading-tight', !expanded && 'sr-only')}>
        <span className="block truncate text-sm font-semibold">{lines.name}</span>
        {user?.email && <span className="block truncate text-xs text-muted-foreground">{user.email}</span>}
        <span className="block truncate text-xs text-muted-foreground tabular-nums">{lines.secondary}</span>
        <span className="sr-only">{t.profile}</span>
      </span>
    </button>
  )
  return (
    <>
      {expanded ? (
        button
      ) : (
        <Tooltip text={t.profile} side="right">
          {button}
        </Tooltip>
      )}
      <Suspense>{editing && user && <ProfileDialog user={user} onClose={() => setEditing(false)} />}</Suspense>
    </>
  )
}

function Balance({ expanded }: { expanded: boolean }) {
  const t = useT().shell
  const wallet = useWallet()
  const amount = (
    <Loaded
      query={wallet}
      failed={t.user.balanceFailed}
      inlineErrorClass="text-xs"
      skeleton={<Skeleton className="h-5 w-16" />}
    >
      {({ balanceCents }) => (
        <Link to="/balance" title={t.user.movements} className="rounded-sm hover:text-gold-text">
          <Points cents={balanceCents} className={cn(!expanded && 'flex-col gap-1 text-[0.6875rem]')} />
        </Link>
      )}
    </Loaded>
  )
  if (!expanded) return amount
  return (
    <div className="flex items-center justify-between rounded-lg border bg-background py-1.5 pr-1.5 pl-3">
      <div>
        <p className="text-[0.6875rem] leading-4 text-muted-foreground">{t.user.balance}</p>
        {amount}
      </div>
      <Button asChild variant="ghost" size="icon">
        <Link to="/topup" aria-label={t.nav.topUp}>
          <Plus aria-hidden />
        </Link>
      </Button>
    </div>
  )
}
