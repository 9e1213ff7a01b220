import { useQuery } from '@tanstack/react-query'
import { useLanguage } from '@/i18n'
import { type BidNote, EVIDENCE_AFTER_SECONDS } from '@/lib/protocol/bid'
import { type ReplacedKey, signerOf, trustedKeys } from '@/lib/protocol/replaced-keys'
import { signatureStep } from '@/lib/protocol/verify-log'
import { dateTime, dollars, number, percent } from '@/lib/format'
import { Facts } from '@/components/ui/facts'
import { Loaded } from '@/components/ui/loaded'
import { ResultSkeleton } from './skeleton'
import { StepGroups } from './steps'
import { proofsTexts } from './texts'

interface BidReceiptProps {
  bid: BidNote
  receipt: string
  publishedKey: string
  replacedKeys: readonly ReplacedKey[]
}

/** A bid as its receipt states it, with the check of the server's signature. */
export function BidReceipt({ bid, receipt, publishedKey, replacedKeys }: BidReceiptProps) {
  const all = proofsTexts.useT().verify
  const t = all.bid
  const language = useLanguage()
  const steps = useQuery({
    queryKey: ['verification', receipt, publishedKey, replacedKeys],
    queryFn: async () => {
      const trusted = await trustedKeys(publishedKey, replacedKeys)
      return [await signatureStep('receipt', receipt, await signerOf(receipt, trusted))]
    },
    networkMode: 'always',
    gcTime: 0,
  })
  const price = dollars(bid.mostCents)
  const when = (time: string) => <time dateTime={time}>{dateTime(time, language)}</time>
  return (
    <div className="space-y-6">
      <Loaded query={steps} failed={all.verification.failed} skeleton={<ResultSkeleton />}>
        {(found) => <StepGroups steps={found} />}
      </Loaded>
      <section aria-labelledby="bid" className="panel rounded-2xl p-5">
        <h2 id="bid" className="text-lg font-semibold">
          {t.title}
        </h2>
        <Facts
          className="mt-4 space-y-1.5 text-[0.8125rem]/[inherit]"
          facts={[
            { label: t.id, value: bid.id, className: 'font-mono break-all' },
            { label: t.scope, value: bid.scope, className: 'font-mono break-all' },
            { label: t.pays, value: bid.peg === 0 ? price : t.pegged(percent(bid.peg / 100, 0), price) },
            { label: t.quantity, value: t.left(number(bid.quantity), number(bid.left)) },
            { label: t.time, value: when(bid.time) },
            { label: t.expires, value: when(bid.expires) },
          ]}
        />
        <p className="mt-4 text-xs leading-relaxed text-pretty text-muted-foreground">
          {t.limits(EVIDENCE_AFTER_SECONDS)}
        </p>
      </section>
    </div>
  )
}
