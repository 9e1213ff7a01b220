import { type ComponentProps, lazy, Suspense, useEffect } from 'react'
import { ResultSkeleton } from './skeleton'
import type { Case } from './use-case'

const load = () => import('./result')
export const loadReader = () => import('./proof-file')
const loadBid = () => import('./bid-receipt')
const BidReceipt = lazy(loadBid)
const Result = lazy(async () => ({ default: (await load()).Result }))

/** The verifier is not needed for the first look at a page, but must be here before the server goes away. */
export function useVerifierSoon(): void {
  useEffect(() => {
    // When it cannot be loaded now, the result itself will say so.
    Promise.all([load(), loadBid(), loadReader()]).catch(() => undefined)
  }, [])
}

export function LazyResult({ checked }: { checked: Case }) {
  return (
    <Suspense fallback={<ResultSkeleton />}>
      <Result checked={checked} />
    </Suspense>
  )
}

export function LazyBidReceipt(props: ComponentProps<typeof BidReceipt>) {
  return (
    <Suspense fallback={<ResultSkeleton />}>
      <BidReceipt {...props} />
    </Suspense>
  )
}
