import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { usePack } from '@/api/packs'
import { packTexts } from './texts'
import { ApiError } from '@/lib/contract/error'
import type { PackDetail } from '@/lib/contract/types'
import { usePageTitle } from '@/lib/page-title'
import { ErrorState } from '@/ui/error-state'
import { PackCover } from '@/domain/pack-cover'
import { MorePacks } from './more-packs'
import { OddsPanel } from './odds-panel'
import { PackPageSkeleton } from './pack-page-skeleton'
import { PackSummary } from './pack-summary'
import { Showcase } from './showcase'

// Few ever see it.
const PackNotFound = lazy(async () => ({ default: (await import('./pack-not-found')).PackNotFound }))

interface PackPageProps {
  packId: string
  /** Price, balance and the open button: composed where balance and opening are known. */
  buyBox: (pack: PackDetail) => ReactNode
}

export function PackPage({ packId, buyBox }: PackPageProps) {
  const t = packTexts.useT()
  const pack = usePack(packId)
  usePageTitle(pack.data?.name)
  if (pack.isPending) return <PackPageSkeleton />
  if (pack.isError) {
    if (pack.error instanceof ApiError && pack.error.status === 404)
      return (
        <Suspense>
          <PackNotFound />
        </Suspense>
      )
    return <ErrorState title={t.failed} error={pack.error} retry={() => void pack.refetch()} />
  }
  return (
    <div className="space-y-14">
      <div>
        <Link
          to="/open-packs"
          className="mb-4 inline-flex items-center gap-1.5 text-sm text-muted-foreground hover:text-foreground"
        >
          <ArrowLeft aria-hidden className="size-4" />
          {t.backToPacks}
        </Link>
        <div className="grid gap-10 xl:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
          <Pedestal pack={pack.data} />
          <div className="space-y-6">
            <PackSummary pack={pack.data} />
            <OddsPanel pack={pack.data} />
            <MorePacks />
            {buyBox(pack.data)}
          </div>
        </div>
      </div>
      {pack.data.showcase.length > 0 && <Showcase pack={pack.data} />}
    </div>
  )
}

/** The pack under its light. */
function Pedestal({ pack }: { pack: PackDetail }) {
  return (
    <div className="panel relative grid h-[28rem] place-items-center overflow-hidden rounded-3xl spotlight xl:sticky xl:top-8 xl:h-[min(40rem,calc(100dvh-9rem))]">
      <PackCover pack={pack} className="w-64 lift-high xl:w-[min(82%,26rem)]" />
    </div>
  )
}
