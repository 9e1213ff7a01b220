import { verifyTexts } from '@/i18n/verify'
import { Skeleton } from '@/ui/skeleton'
import { groups } from './groups'

/** Groups of steps, as many as will come. */
export function VerificationSkeleton() {
  const t = verifyTexts.useT().verification
  return (
    <div role="status">
      <span className="sr-only">{t.checking}</span>
      <Skeleton className="h-[4.25rem] rounded-xl" />
      {Object.entries(groups).map(([group, ids]) => (
        <div key={group} className="mt-5">
          <Skeleton className="mb-2 h-4 w-28" />
          <Skeleton className="rounded-xl" style={{ height: `${ids.length * 2.8125}rem` }} />
        </div>
      ))}
    </div>
  )
}
