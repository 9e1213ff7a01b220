import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Opening } from '@/lib/api/types'
import { announcedBy, verifyOpening } from '@/lib/fair/verify'
import { queryKeys } from '@/lib/query'
import { fetchLogKey, fetchManifest } from './api/evidence'

/** Where the seal of an open was seen before it: on this page, or in the receipt of the open before. */
interface Witness {
  shownCommitment?: string | undefined
  previousReceipt?: string | undefined
}

function verificationQuery(opening: Opening, { shownCommitment, previousReceipt }: Witness) {
  return queryOptions({
    queryKey: ['verification', opening, shownCommitment, previousReceipt],
    queryFn: async ({ signal }) => {
      const [manifest, logKey] = await Promise.all([
        fetchManifest(opening.manifestHash, signal),
        fetchLogKey(signal),
      ])
      const seen = shownCommitment ?? (previousReceipt && (await announcedBy(previousReceipt, logKey)))
      return verifyOpening(opening, { manifest, logKey, ...(seen && { shownCommitment: seen }) })
    },
  })
}

/** Draws an opening again. `shownCommitment` is the seal the visitor saw before it, when the page knows it. */
export function useVerification(opening: Opening, shownCommitment: string | undefined) {
  const opens = useQueryClient().getQueryData<Opening[]>(queryKeys.opens)
  const previousReceipt = opens?.find(({ nonce }) => nonce === opening.nonce - 1)?.receipt
  return useQuery(verificationQuery(opening, { shownCommitment, previousReceipt }))
}
