import { Link } from '@tanstack/react-router'
import { Plus, Wallet } from 'lucide-react'
import { useWallet } from '@/features/ledger/api/wallet'
import { useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { useSession } from '@/lib/session'
import { Avatar } from '@/ui/avatar'
import { Button } from '@/ui/button'
import { Failed } from '@/ui/failed'
import { Points } from '@/ui/points'
import { Skeleton } from '@/ui/skeleton'
import { Tooltip } from '@/ui/tooltip'
import { userLines } from './user-lines'

/** Who is signed in and what they have; both stay in sight when the sidebar is collapsed. */
export function UserBlock({ expanded }: { expanded: boolean }) {
  const { status } = useSession()
  return (
    <div className={cn('border-t', expanded ? 'p-4' : 'px-2 py-4')}>
      {status === 'loading' && <Skeleton className="h-11 rounded-lg" />}
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
      {t.connectWallet}
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
  const { user, address, frozen, connect } = useSession()
  const lines = userLines(user, address, t.fallback)
  return (
    <div className={cn('flex flex-col gap-3', !expanded && 'items-center')}>
      <div className="flex min-w-0 items-center gap-3">
        <Avatar name={lines.name} imageUrl={user?.profileImageUrl ?? ''} address={address} />
        <div className={cn('min-w-0 leading-tight', !expanded && 'sr-only')}>
          <p className="truncate text-sm font-semibold">{lines.name}</p>
          {user?.email && <p className="truncate text-xs text-muted-foreground">{user.email}</p>}
          <p className="truncate text-xs text-muted-foreground tabular-nums">{lines.secondary}</p>
        </div>
      </div>
      {frozen ? (
        <div className="space-y-2 text-xs text-warning-foreground">
          {expanded && <p>{t.frozen}</p>}
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

function Balance({ expanded }: { expanded: boolean }) {
  const t = useT().shell
  const wallet = useWallet()
  const amount = wallet.isError ? (
    <Failed text={t.user.balanceFailed} retry={() => void wallet.refetch()} className="text-xs" />
  ) : wallet.data ? (
    <Points cents={wallet.data.balanceCents} className={cn(!expanded && 'flex-col gap-1 text-[0.6875rem]')} />
  ) : (
    <Skeleton className="h-5 w-16" />
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
