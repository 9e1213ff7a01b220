import { lazy, Suspense, useEffect } from 'react'
import { Skeleton } from '@/ui/skeleton'
import { StepsSkeleton } from './skeleton'
import type { Case } from './use-case'

const load = () => import('./result')
export const loadReader = () => import('./proof-file')
const Result = lazy(async () => ({ default: (await load()).Result }))

/** The verifier is not needed for the first look at a page, but must be here before the server goes away. */
export function useVerifierSoon(): void {
  useEffect(() => {
    // When it cannot be loaded now, the result itself will say so.
    Promise.all([load(), loadReader()]).catch(() => undefined)
  }, [])
}

export function LazyResult({ checked }: { checked: Case }) {
  return (
    <Suspense fallback={<ResultSkeleton />}>
      <Result checked={checked} />
    </Suspense>
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
