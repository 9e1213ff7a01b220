import { type ComponentProps, lazy, Suspense } from 'react'
import { redemptionsTexts } from '@/features/redemptions/texts'
import type Button from '@/features/redemptions/claim-button'

const Claim = lazy(async () => {
  const [button] = await Promise.all([import('@/features/redemptions/claim-button'), redemptionsTexts.load()])
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
