import {
  Check,
  LockKeyhole,
  type LucideIcon,
  Minus,
  MousePointerClick,
  RadioTower,
  TriangleAlert,
  WalletCards,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useLanguage } from '@/i18n'
import { cn } from '@/lib/cn'
import { clockTime, isToday } from '@/lib/clock-time'
import { number, shortDate } from '@/lib/format'
import type { ProofLeaf } from '@/lib/protocol/proof-leaf'
import { type FactName, type Step, type StepId, verdict } from '@/lib/protocol/report'
import { commitmentSeenAt } from '@/lib/seen-commitments'
import { proofsTexts } from './texts'

interface PlainProofProps {
  steps: readonly Step[]
  leaf: ProofLeaf | null
  /** Actions. */
  children?: ReactNode
}

/** What a proof shows, in a sentence and a picture. Claims only what its steps have proven. */
export function PlainProof({ steps, leaf, children }: PlainProofProps) {
  const t = proofsTexts.useT().verify.verification
  const language = useLanguage()
  const timeText = (time: number) =>
    isToday(time) ? clockTime(time) : t.plain.onDay(clockTime(time), shortDate(new Date(time).toISOString(), language))
  const state = verdict(steps)
  const passed = (id: StepId) => steps.some((step) => step.id === id && step.state === 'ok')
  const lockedAt = leaf ? commitmentSeenAt(leaf.id) : undefined
  const lockTime = lockedAt === undefined ? '' : timeText(lockedAt)
  const before = passed('announced')
  const proven = passed('commitment')
  const round = leaf?.round == null ? undefined : number(Number(leaf.round))
  const undrawn = steps.find(({ id }) => id === 'drawn')
  const lost = undrawn?.note === 'lost'
  const sentence = () => {
    if (state === 'failed') return t.verdict.failed
    if (lost) return t.plain.lost
    if (undrawn) return undrawn.note === 'voided' ? t.plain.voided : t.plain.pending(roundOf(undrawn))
    if (!proven) return t.verdict.info
    if (round !== undefined) {
      if (steps.some(({ note }) => note === 'ownBeacon')) return t.plain.sealedTest
      return passed('beacon') && passed('round') ? t.plain.sealed(round) : t.plain.matches
    }
    if (!before) return t.plain.matches
    return lockTime ? t.plain.lockedAt(lockTime) : t.plain.lockedBefore
  }
  const failed = state === 'failed'
  // The operator's fault is no success, even if all of its signatures are valid.
  const alarming = failed || lost
  return (
    <div
      className={cn(
        'rounded-2xl border px-5 py-4',
        alarming ? 'border-destructive/50 bg-destructive/5' : proven && 'border-positive-text/35 bg-positive-text/5',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <div role="status" className="flex min-w-64 flex-1 items-center gap-4">
          <span
            aria-hidden
            className={cn(
              'grid size-10 shrink-0 place-items-center rounded-full',
              alarming && 'bg-destructive text-destructive-foreground',
              !alarming && (proven ? 'bg-positive-text text-background' : 'bg-muted text-muted-foreground'),
            )}
          >
            {alarming && <TriangleAlert className="size-5" />}
            {!alarming && (proven ? <Check className="size-6" strokeWidth={3} /> : <Minus className="size-5" />)}
          </span>
          <div>
            <p className={cn('leading-snug font-semibold text-pretty', alarming && 'text-destructive-text')}>
              {sentence()}
            </p>
            {!failed && proven && <p className="mt-0.5 text-[0.8125rem] text-muted-foreground">{t.verdict[state]}</p>}
          </div>
        </div>
        {children}
      </div>
      {!failed && leaf && proven && (
        <ol className="mt-4 grid grid-cols-3 border-t border-line pt-4 text-center text-[0.8125rem]">
          {round === undefined ? (
            <>
              <Moment icon={LockKeyhole} title={t.plain.lock} text={before ? lockTime || t.plain.beforeClick : ''} />
              <Moment icon={MousePointerClick} title={t.plain.click} text={timeText(Date.parse(leaf.time))} />
              <Moment icon={WalletCards} title={t.plain.reveal} text={t.plain.sameLock} />
            </>
          ) : (
            <>
              <Moment icon={LockKeyhole} title={t.plain.ordered} text={timeOf(steps, 'order', 'time', timeText)} />
              <Moment
                icon={RadioTower}
                title={t.plain.round(round)}
                text={timeOf(steps, 'round', 'roundTime', timeText)}
              />
              <Moment icon={WalletCards} title={t.plain.drawn} text={timeText(Date.parse(leaf.time))} />
            </>
          )}
        </ol>
      )}
    </div>
  )
}

const roundOf = ({ inputs }: Step) => number(Number(inputs.find(({ name }) => name === 'round')?.value))

/** A time among the inputs of a passed step. */
function timeOf(steps: readonly Step[], id: StepId, name: FactName, format: (time: number) => string): string {
  const step = steps.find((one) => one.id === id && one.state === 'ok')
  const time = step?.inputs.find((input) => input.name === name)?.value
  return time === undefined ? '' : format(Date.parse(time))
}

function Moment({ icon: Icon, title, text }: { icon: LucideIcon; title: string; text: string }) {
  return (
    <li className="relative px-2 not-first:before:absolute not-first:before:top-5 not-first:before:right-[calc(50%+1.75rem)] not-first:before:left-[calc(-50%+1.75rem)] not-first:before:border-t not-first:before:border-dashed not-first:before:border-line-strong">
      <span className="mx-auto mb-2 grid size-10 place-items-center rounded-full border border-line bg-raised text-gold-text">
        <Icon aria-hidden className="size-[1.125rem]" />
      </span>
      <p className="font-medium">{title}</p>
      <p className="text-muted-foreground tabular-nums">{text}</p>
    </li>
  )
}
