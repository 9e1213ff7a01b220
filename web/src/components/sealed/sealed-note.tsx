import { Link } from '@tanstack/react-router'
import { ChevronDown, LockKeyhole, type LucideIcon, RadioTower, WalletCards } from 'lucide-react'
import type { Pack } from '@/contract/types'
import { cn } from '@/lib/cn'
import { config } from '@/lib/config'
import { sealedPromise } from './promise'
import type * as en from './texts/en'
import { useWitnessed } from './use-witnessed'

type Texts = typeof en.sealed

interface SealedNoteProps {
  /** From the texts of the feature that shows it. */
  texts: Texts
  sealed: NonNullable<Pack['sealed']>
  className?: string
}

/** What sealed means: one sentence, a picture, and the mechanism folded away. */
export function SealedNote({ texts: t, sealed: { leadSeconds }, className }: SealedNoteProps) {
  const witnessed = useWitnessed()
  const { order, witnessedOrder, beacon, testBeacon, cards, late } = t.steps
  const details = [witnessed ? witnessedOrder : order, config.sandbox ? testBeacon : beacon, cards, late]
  return (
    <div className={className}>
      <p className="text-sm text-pretty">{sealedPromise(t, leadSeconds, witnessed)}</p>
      <SealedPicture texts={t} leadSeconds={leadSeconds} className="mt-3.5" />
      <details className="group/sealed mt-2.5">
        <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-sm text-[0.8125rem] text-muted-foreground hover:text-foreground">
          <span>{t.how}</span>
          <ChevronDown
            aria-hidden
            className="size-3.5 transition-transform group-open/sealed:rotate-180 motion-reduce:transition-none"
          />
        </summary>
        <ol className="mt-2.5 list-decimal space-y-1.5 pl-5 text-[0.8125rem] leading-relaxed text-pretty text-muted-foreground marker:text-gold-text">
          {details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ol>
        <p className="mt-2 text-[0.8125rem] leading-relaxed text-muted-foreground">
          {/* A new window, so that an open dialog stays. */}
          <Link to="/fairness" hash="sealed" target="_blank" className="text-gold-text underline underline-offset-4">
            {t.learnMore}
          </Link>
        </p>
      </details>
    </div>
  )
}

interface SealedPictureProps {
  texts: Texts
  leadSeconds: number
  className?: string
}

/** Lock, beacon and cards, joined by a dashed line. */
function SealedPicture({ texts: t, leadSeconds, className }: SealedPictureProps) {
  return (
    <ol aria-label={t.picture} className={cn('grid grid-cols-3 text-center text-xs', className)}>
      <Part icon={LockKeyhole} title={t.lock} text={t.lockText} />
      <Part icon={RadioTower} title={config.sandbox ? t.testBeacon : t.beacon} text={t.beaconText(leadSeconds)} />
      <Part icon={WalletCards} title={t.cards} text={t.cardsText} />
    </ol>
  )
}

function Part({ icon: Icon, title, text }: { icon: LucideIcon; title: string; text: string }) {
  return (
    <li className="relative px-1.5 not-first:before:absolute not-first:before:top-4.5 not-first:before:right-[calc(50%+1.5rem)] not-first:before:left-[calc(-50%+1.5rem)] not-first:before:border-t not-first:before:border-dashed not-first:before:border-line-strong">
      <span className="mx-auto mb-1.5 grid size-9 place-items-center rounded-full border border-line bg-raised text-gold-text">
        <Icon aria-hidden className="size-4" />
      </span>
      <p className="font-medium">{title}</p>
      <p className="text-muted-foreground tabular-nums">{text}</p>
    </li>
  )
}
