import { ArrowLeft, Printer } from 'lucide-react'
import { useLanguage } from '@/i18n'
import type { OpenedClaim } from '@/contract/types'
import { dateTime } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { adminTexts } from '../texts'

interface PackingListProps {
  claims: readonly OpenedClaim[]
  onBack: () => void
}

/** Addresses and items of shipments; each prints on its own page. */
export default function PackingList({ claims, onBack }: PackingListProps) {
  const t = adminTexts.useT().claims
  return (
    <section aria-label={t.packing} className="space-y-4">
      <div className="flex justify-between gap-3 print:hidden">
        <Button variant="secondary" onClick={onBack}>
          <ArrowLeft aria-hidden />
          <span>{t.back}</span>
        </Button>
        <Button onClick={() => window.print()}>
          <Printer aria-hidden />
          <span>{t.print}</span>
        </Button>
      </div>
      {claims.map((claim) => (
        <Sheet key={claim.id} claim={claim} />
      ))}
    </section>
  )
}

function Sheet({ claim: { id, createdAt, items, delivery, walletAddress } }: { claim: OpenedClaim }) {
  const t = adminTexts.useT().claims
  const language = useLanguage()
  return (
    <article className="panel break-after-page rounded-2xl p-6 print:border-0 print:shadow-none">
      <header className="flex flex-wrap items-start justify-between gap-6">
        {delivery ? (
          <address className="text-lg leading-7 font-medium not-italic">
            {delivery.label.map((line, at) => (
              <span key={at} className="block">
                {line}
              </span>
            ))}
            {delivery.phone && (
              <span className="block text-sm font-normal text-muted-foreground">{`${t.phone} ${delivery.phone}`}</span>
            )}
          </address>
        ) : (
          <p>{t.gone}</p>
        )}
        <p className="text-right text-xs text-muted-foreground">
          <span className="block font-mono">{id}</span>
          <span className="block font-mono">{walletAddress}</span>
          <time dateTime={createdAt}>{dateTime(createdAt, language)}</time>
        </p>
      </header>
      <ul className="mt-5 divide-y divide-line border-t">
        {items.map(({ inventoryId, item }) => (
          <li key={inventoryId} className="flex items-center gap-4 py-3">
            <span aria-hidden className="size-5 shrink-0 rounded border-2 border-foreground" />
            <span className="min-w-0 flex-1">{item.name}</span>
            {item.certNumber && (
              <span className="text-sm text-muted-foreground tabular-nums">
                {`${t.certificate} ${item.certification} ${item.certNumber}`}
              </span>
            )}
          </li>
        ))}
      </ul>
    </article>
  )
}
