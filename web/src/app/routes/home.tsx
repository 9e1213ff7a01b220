import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { LivePulls } from '@/features/leaderboard/live-pulls'
import { TopPulls } from '@/features/leaderboard/top-pulls'
import { FairSteps } from '@/features/store/fair-steps'
import { Hero } from '@/features/store/hero'
import { LogFacts } from '@/features/store/log-facts'
import { PacksRow } from '@/features/store/packs-row'
import { storeTexts } from '@/features/store/texts'
import { LastSales } from '@/features/activity/last-sales'
import { useInventory } from '@/api/inventory'
import { useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { config } from '@/lib/config'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Skeleton } from '@/components/ui/skeleton'
import { usePackAction } from '../use-pack-action'

// Signed-in visitors only.
const LastPulls = lazy(async () => ({ default: (await import('@/features/inventory/last-pulls')).LastPulls }))
const BalanceCard = lazy(async () => ({ default: (await import('@/features/wallet/balance-card')).BalanceCard }))

export function HomePage() {
  const t = storeTexts.useT().home
  usePageTitle()
  const { status } = useSession()
  const { action, dialog } = usePackAction()
  return (
    <div className="space-y-14 narrow:hidden">
      <Hero />
      {(status === 'signed-in' || (status === 'loading' && config.session)) && <Corner />}
      <LogFacts />
      <section aria-labelledby="packs">
        <div className="mb-6 flex items-baseline justify-between">
          <h2 id="packs" className="text-xl font-semibold tracking-tight">
            {t.packsHeading}
          </h2>
          <Link
            to="/open-packs"
            className="inline-flex items-center gap-1.5 text-sm font-medium text-gold-text hover:underline"
          >
            <span>{t.allPacks}</span>
            <ArrowRight aria-hidden className="size-4" />
          </Link>
        </div>
        <PacksRow action={action} />
      </section>
      <LivePulls />
      <TopPulls />
      {config.rules.market && <LastSales />}
      <FairSteps />
      {dialog}
    </div>
  )
}

/** The visitor's balance and latest pulls. Greets a newcomer, who owns nothing yet, for the first time. */
function Corner() {
  const t = useT()
  const { welcome, welcomeBack } = storeTexts.useT().home
  const owned = useInventory()
  const { status } = useSession()
  const skeleton = <Skeleton className="h-44 rounded-2xl lg:col-span-2" />
  return (
    <section aria-labelledby="corner">
      <h2 id="corner" className={cn('text-xl font-semibold tracking-tight', owned.isPending && 'opacity-0')}>
        {owned.data?.length ? welcomeBack : welcome}
      </h2>
      <div className="mt-5 grid min-h-44 gap-5 lg:grid-cols-[20rem_minmax(0,1fr)]">
        {status === 'loading' ? (
          skeleton
        ) : (
          <Suspense fallback={skeleton}>
            <BalanceCard label={t.shell.user.balance} />
            <LastPulls />
          </Suspense>
        )}
      </div>
    </section>
  )
}
