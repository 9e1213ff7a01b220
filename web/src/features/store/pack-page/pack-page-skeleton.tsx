import { config } from '@/lib/config'
import { Skeleton } from '@/components/ui/skeleton'
import { Pedestal } from './pedestal'

/** At least as high as the window, so that the footer doesn't jump. */
export function PackPageSkeleton({ packId }: { packId: string }) {
  const cover = config.covers.find(({ pack }) => pack === packId)
  return (
    <div className="grid min-h-dvh content-start gap-10 pt-9 xl:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      {cover ? (
        <Pedestal pack={{ name: '', coverImageUrl: cover.address, coverSources: cover.sources, series: [] }} />
      ) : (
        <Skeleton className="h-[min(40rem,calc(100dvh-9rem))] rounded-3xl" />
      )}
      <div className="space-y-6">
        <Skeleton className="h-10 w-64" />
        <Skeleton className="h-12 w-full max-w-xl" />
        <Skeleton className="h-80 rounded-2xl" />
        <Skeleton className="h-6 w-full" />
        <Skeleton className="h-14 w-full" />
      </div>
    </div>
  )
}
