import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { usePack } from '@/api/packs'
import { usePackName } from '@/i18n/names'
import { storeTexts } from '../texts'
import type { PackDetail } from '@/contract/types'
import { usePageTitle } from '@/lib/page-title'
import { SealedNote } from '@/components/sealed/sealed-note'
import { Loaded } from '@/components/ui/loaded'
import { MorePacks } from './more-packs'
import { OddsPanel } from './odds-panel'
import { PackNotFound } from './pack-not-found'
import { Pedestal } from './pedestal'
import { PackPageSkeleton } from './pack-page-skeleton'
import { PackSummary } from './pack-summary'
import { Showcase } from './showcase'

// Below the fold.
const AllCards = lazy(async () => ({ default: (await import('./all-cards')).AllCards }))

interface PackPageProps {
  packId: string
  /** Price, balance and open button, passed in by the route. */
  buyBox: (pack: PackDetail) => ReactNode
  /** What people pulled from the pack recently, passed in by the route. */
  pulls: (pack: PackDetail) => ReactNode
}

export function PackPage({ packId, buyBox, pulls }: PackPageProps) {
  const t = storeTexts.useT().pack
  const packName = usePackName()
  const pack = usePack(packId)
  usePageTitle(pack.data && packName(pack.data))
  return (
    <Loaded query={pack} failed={t.failed} skeleton={<PackPageSkeleton packId={packId} />} unknown={<PackNotFound />}>
      {(detail) => <Detail pack={detail} buyBox={buyBox} pulls={pulls} />}
    </Loaded>
  )
}

function Detail({ pack, buyBox, pulls }: Pick<PackPageProps, 'buyBox' | 'pulls'> & { pack: PackDetail }) {
  const { pack: t, sealed } = storeTexts.useT()
  return (
    <div className="space-y-14">
      <div>
        <Link
          to="/open-packs"
          className="mb-4 inline-flex items-center gap-1.5 text-sm text-muted-foreground hover:text-foreground"
        >
          <ArrowLeft aria-hidden className="size-4" />
          <span>{t.backToPacks}</span>
        </Link>
        <div className="grid gap-10 xl:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
          <Pedestal pack={pack} />
          <div className="space-y-6">
            <PackSummary pack={pack} />
            <OddsPanel pack={pack} />
            {pack.sealed && <SealedNote texts={sealed} sealed={pack.sealed} className="panel rounded-2xl px-5 py-4" />}
            <MorePacks />
            {buyBox(pack)}
          </div>
        </div>
      </div>
      {pulls(pack)}
      {pack.showcase.length > 0 && (
        // The showcase has margins of its own.
        <div>
          <Showcase pack={pack} />
        </div>
      )}
      <Suspense>
        <AllCards pack={pack} />
      </Suspense>
    </div>
  )
}
