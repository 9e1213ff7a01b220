import { type ComponentProps, lazy, Suspense } from 'react'
import { claimFlowTexts } from '@/features/redemptions/texts/claim'
import type Button from '@/features/redemptions/claim-button'

const Claim = lazy(async () => {
  const [button] = await Promise.all([import('@/features/redemptions/claim-button'), claimFlowTexts.load()])
  return button
})

/** What begins to have an entry sent to its owner; it comes after the page. */
export function ClaimButton(props: ComponentProps<typeof Button>) {
  return (
    <Suspense fallback={<div className="h-8" />}>
      <Claim {...props} />
    </Suspense>
  )
}
