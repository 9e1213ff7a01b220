import { Link } from '@tanstack/react-router'
import { useLanguage } from '@/i18n'
import type { Bytes } from '@/lib/protocol/bytes'
import type { OrderLeaf, VoidLeaf } from '@/lib/protocol/sealed'
import { dateTime, dollars, number } from '@/lib/format'
import { Facts } from '@/components/ui/facts'
import { idClass, tryParse } from './drawn-items'
import { proofsTexts } from './texts'

/** What the leaf of an order states that isn't drawn yet, or that was refunded. */
export function UndrawnOrder({ order, manifest }: { order: OrderLeaf | VoidLeaf; manifest: Bytes | undefined }) {
  const t = proofsTexts.useT().verify.proof
  const language = useLanguage()
  return (
    <section aria-labelledby="ordered" className="panel rounded-2xl p-5">
      <p className="eyebrow">{t.ordered}</p>
      <h2 id="ordered" className="mt-0.5 text-lg font-semibold">
        <Link to="/pack/$packId" params={{ packId: order.pack }} className="hover:text-gold-text">
          {(manifest && tryParse(manifest)?.name) ?? order.pack}
        </Link>
      </h2>
      <Facts
        className="mt-4 space-y-1.5 text-[0.8125rem]/[inherit]"
        facts={[
          ...('priceCents' in order ? [{ label: t.paid, value: dollars(order.priceCents) }] : []),
          { label: t.round, value: number(Number(order.round)) },
          { label: t.time, value: <time dateTime={order.time}>{dateTime(order.time, language)}</time> },
          { label: t.nonce, value: String(order.nonce) },
          { label: t.player, value: order.user, className: idClass },
          { label: t.openId, value: order.id, className: idClass },
        ]}
      />
    </section>
  )
}
