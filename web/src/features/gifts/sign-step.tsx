import { useState } from 'react'
import { useGiftChallenge, useGive } from '@/api/gifts'
import { ApiError } from '@/contract/error'
import { terms } from '@/lib/config'
import { dollars, shortAddress } from '@/lib/format'
import { keepGivenSecret } from '@/lib/gift-secret'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Facts } from '@/components/ui/facts'
import { ScrollRegion } from '@/components/ui/scroll-region'
import { Spinner } from '@/components/ui/spinner'
import { useGiftErrorText } from './gift-errors'
import type { PreparedGift } from './prepared-gift'
import { giftsTexts } from './texts'

interface SignStepProps {
  gift: PreparedGift
  onBack: () => void
  onGiven: (giftId: string) => void
}

/** Shows the text of a gift and has the wallet sign it. */
export function SignStep({ gift: { request, challenge: first, secret }, onBack, onGiven }: SignStepProps) {
  const t = giftsTexts.useT().give
  const giftErrorText = useGiftErrorText('give')
  const { sign, walletMismatch } = useSession()
  const { data: challenge, refetch } = useGiftChallenge(request, first)
  const [signing, setSigning] = useState(false)
  const fail = (description: string) => toast({ title: t.failed, description, variant: 'destructive' })
  const giving = useGive({
    onDone: ({ id }) => {
      if (secret) keepGivenSecret(id, secret)
      else toast({ title: t.done, description: t.doneText(shortAddress(request.walletAddress ?? '', 6, 4)) })
      onGiven(id)
    },
    onFailed: (error) => {
      fail(giftErrorText(error))
      if (error instanceof ApiError && error.code === 'bad_signature') void refetch()
    },
  })
  const pending = signing || giving.isPending
  const count = request.inventoryIds.length

  function confirm() {
    if (pending) return
    setSigning(true)
    sign(challenge.message)
      .then((signature) => giving.mutate({ ...request, ...signature }))
      .catch((error: unknown) => fail(error instanceof ApiError ? giftErrorText(error) : t.notSigned))
      .finally(() => setSigning(false))
  }

  return (
    <div className="space-y-5">
      <Facts
        className="space-y-2"
        facts={[
          {
            label: t.to,
            value: request.walletAddress ?? t.anyone,
            className: request.walletAddress ? 'font-mono text-xs break-all' : undefined,
          },
          { label: t.value, value: dollars(challenge.valueCents) },
          { label: t.within, value: t.days(terms.giftDays) },
        ]}
      />
      <figure>
        <figcaption className="mb-1.5 text-sm font-medium">{t.message}</figcaption>
        <ScrollRegion aria-label={t.message} className="mx-0 max-h-52 rounded-xl bg-muted px-4 py-3">
          <pre className="font-mono text-xs break-words whitespace-pre-wrap">{challenge.message}</pre>
        </ScrollRegion>
      </figure>
      <ul className="list-disc space-y-1.5 pl-4 text-sm text-pretty text-muted-foreground">
        <li>{t.notes.owner}</li>
        <li>{t.notes.bids}</li>
      </ul>
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" disabled={pending} onClick={onBack}>
          {t.back}
        </Button>
        <Button disabled={walletMismatch} aria-disabled={pending} onClick={confirm}>
          {pending && <Spinner />}
          <span>{signing ? t.signing : giving.isPending ? t.giving : t.sign(count)}</span>
        </Button>
      </div>
    </div>
  )
}
