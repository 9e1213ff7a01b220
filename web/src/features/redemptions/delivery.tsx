import { useClaim } from '@/api/redemptions'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { redemptionsTexts } from './texts'

/** The address of a claim and the signed message; for its owner only. */
export default function Delivery({ id }: { id: string }) {
  const t = redemptionsTexts.useT().claims
  return (
    <Loaded
      query={useClaim(id, true)}
      failed={t.addressFailed}
      inlineErrorClass="h-24"
      skeleton={<Skeleton className="h-40 rounded-xl" />}
    >
      {({ delivery, message }) => (
        <div className="grid gap-4 rounded-xl bg-muted p-4 text-foreground lg:grid-cols-[auto_minmax(0,1fr)]">
          {delivery ? (
            <address className="not-italic">
              {delivery.label.map((line, index) => (
                <span key={index} className="block">
                  {line}
                </span>
              ))}
            </address>
          ) : (
            <p>{t.addressGone}</p>
          )}
          <figure className="min-w-0">
            <figcaption className="text-xs text-muted-foreground">{t.signedText}</figcaption>
            <pre className="mt-1 font-mono text-xs break-words whitespace-pre-wrap">{message}</pre>
          </figure>
        </div>
      )}
    </Loaded>
  )
}
