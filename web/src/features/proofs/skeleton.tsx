import { proofsTexts } from './texts'
import { Skeleton } from '@/components/ui/skeleton'
import { stepGroups } from './step-groups'

/** As many groups and steps as a proof has. */
export function StepsSkeleton() {
  const t = proofsTexts.useT().verify.verification
  return (
    <div role="status" className="space-y-5">
      <span className="sr-only">{t.checking}</span>
      {Object.entries(stepGroups).map(([group, ids]) => (
        <div key={group}>
          <Skeleton className="mb-2 h-4 w-28" />
          <Skeleton className="rounded-xl" style={{ height: `${ids.length * 2.625}rem` }} />
        </div>
      ))}
    </div>
  )
}

export function ResultSkeleton() {
  return (
    <div className="space-y-6">
      <Skeleton className="h-[4.25rem] rounded-xl" />
      <div className="grid items-start gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,1fr)_23rem]">
        <StepsSkeleton />
        <Skeleton className="h-[26rem] rounded-2xl max-xl:row-start-1" />
      </div>
    </div>
  )
}
