import { ChevronDown, LockKeyhole } from 'lucide-react'
import { useState } from 'react'
import { useOpeningT } from './texts'
import { usePackName } from '@/i18n/names'
import { errorText } from '@/i18n/error-text'
import type { Pack } from '@/contract/types'
import { number, points, shortPoints } from '@/lib/format'
import { confirmAboveCents, type Quantity } from '@/lib/quantity'
import { spendOnce } from '@/lib/spend-once'
import { Button } from '@/components/ui/button'
import { PackCover } from '@/components/pack-cover'
import { Points } from '@/components/points'
import { SealedChoice } from '@/components/sealed/sealed-choice'
import { SealedNote } from '@/components/sealed/sealed-note'
import { QuantityChoice, useAvailableQuantity } from '@/components/quantity/quantity-choice'
import { Spinner } from '@/components/ui/spinner'
import { topUpAmount, useTopUp } from '@/components/use-top-up'
import { isSeed } from './attempt'
import { Odds } from './odds'
import { ResultLock } from './result-lock'
import { SeedField } from './seed-field'
import { Stage } from './stage'
import type { useAttempt } from './use-attempt'

interface IntroStageProps {
  pack: Pack
  attemptQuery: ReturnType<typeof useAttempt>
  balanceCents: number | undefined
  initialQuantity: Quantity
  start: (quantity: Quantity, sealed: boolean) => void
}

/** The pack, its odds and price, how many to open, and the start button, the only one that spends points. */
export function IntroStage({ pack, attemptQuery, balanceCents, initialQuantity, start }: IntroStageProps) {
  const texts = useOpeningT()
  const t = texts.opening.intro
  const packName = usePackName()
  const [wanted, setWanted] = useState(initialQuantity)
  const [wantsSealed, setWantsSealed] = useState(true)
  const available = useAvailableQuantity(pack, balanceCents, wanted)
  // A sent attempt is paid for already, or the server will reject it. It's completed before others are opened.
  const resumes = attemptQuery.attempt?.sent ?? false
  const quantity = resumes ? 1 : available
  const choosable = pack.sealed?.required === false && !resumes
  const asked = resumes ? (attemptQuery.attempt?.sealed ?? false) : wantsSealed || !choosable
  const sealed = asked ? pack.sealed : undefined
  const totalCents = quantity * pack.priceCents
  const left = balanceCents === undefined ? NaN : balanceCents - totalCents
  const poor = left < 0 && !resumes
  return (
    <Stage>
      <div className="grid w-full max-w-5xl items-center gap-x-20 gap-y-10 lg:grid-cols-[1fr_27rem]">
        <PackCover pack={pack} state="turning" className="mx-auto w-[min(30rem,48dvh)]" />
        <div>
          <p className="eyebrow">{t.contents(pack.itemsPerPack)}</p>
          <h2 className="mt-1 text-4xl font-semibold tracking-tight">{packName(pack)}</h2>
          <p className="mt-2 text-lg text-muted-foreground">{t.prompt}</p>
          <Odds packId={pack.id} />
          <div className="mt-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-t border-line pt-5">
            <div>
              <p className="text-xs text-muted-foreground">{t.price}</p>
              <Points cents={pack.priceCents} className="text-xl leading-9" />
            </div>
            {!resumes && (
              <QuantityChoice
                texts={texts.quantity}
                pack={pack}
                balanceCents={balanceCents}
                value={quantity}
                onChange={setWanted}
                className="text-right"
              />
            )}
          </div>
          {left >= 0 && (
            <p className="mt-1 flex items-baseline justify-between gap-4 text-sm text-muted-foreground">
              <span>{t.balanceAfter}</span>
              <Points cents={left} className="font-medium text-foreground" />
            </p>
          )}
          {choosable && pack.sealed && (
            <SealedChoice
              texts={texts.sealed}
              sealed={pack.sealed}
              value={wantsSealed}
              onChange={setWantsSealed}
              className="mt-4"
            />
          )}
          {sealed ? (
            <SealedNote texts={texts.sealed} sealed={sealed} className="mt-4" />
          ) : (
            <p className="mt-4 flex items-center gap-2 text-sm">
              <LockKeyhole aria-hidden className="size-4 shrink-0 text-gold-text" />
              <span>{t.locked}</span>
            </p>
          )}
          <LockPanel attemptQuery={attemptQuery} />
          {poor ? (
            <TopUpButton packId={pack.id} missingCents={-left} />
          ) : (
            <StartButton
              key={totalCents}
              pack={pack}
              quantity={quantity}
              balanceAfterCents={left}
              attemptQuery={attemptQuery}
              start={() => start(quantity, asked && pack.sealed !== undefined)}
            />
          )}
          <p className="mt-3 text-center text-[0.8125rem] text-muted-foreground tabular-nums">
            {poor ? t.notEnough(points(-left)) : quantity === 1 && t.nothingCharged}
          </p>
        </div>
      </div>
    </Stage>
  )
}

/** In place of the start button: adds the points that are missing. */
function TopUpButton({ packId, missingCents }: { packId: string; missingCents: number }) {
  const t = useOpeningT()
  const { topUp, pending } = useTopUp(packId)
  return (
    <Button size="lg" className="w-full" aria-disabled={pending} onClick={() => topUp(missingCents)}>
      {pending && <Spinner />}
      <span>{t.catalogue.store.topUp(number(topUpAmount(missingCents)))}</span>
    </Button>
  )
}

/** The inputs fixed before the start, folded away: the server's commitment and the user's seed. */
function LockPanel({ attemptQuery }: Pick<IntroStageProps, 'attemptQuery'>) {
  const t = useOpeningT()
  const { attempt, error, setSeed } = attemptQuery
  if (error) {
    return (
      <p role="alert" className="panel my-5 rounded-xl p-4 text-sm text-destructive-text">
        {`${t.opening.intro.lockFailed} ${errorText(error, t)}`}
      </p>
    )
  }
  return (
    <div className="mt-1.5 mb-5">
      <details className="group">
        <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-sm text-[0.8125rem] text-muted-foreground hover:text-foreground">
          <span>{t.opening.intro.details}</span>
          <ChevronDown
            aria-hidden
            className="size-3.5 transition-transform group-open:rotate-180 motion-reduce:transition-none"
          />
        </summary>
        <div className="panel mt-3 divide-y divide-line overflow-hidden rounded-xl">
          <ResultLock commitment={attempt?.commitment} />
          <SeedField seed={attempt?.clientSeed} locked={attempt?.sent ?? true} onChange={setSeed} />
        </div>
      </details>
      {attempt?.sent && (
        <p className="mt-3 rounded-xl bg-warning px-4 py-3 text-[0.8125rem] text-warning-foreground">
          {t.opening.intro.unanswered}
        </p>
      )}
    </div>
  )
}

interface StartButtonProps extends Pick<IntroStageProps, 'pack' | 'attemptQuery'> {
  quantity: Quantity
  balanceAfterCents: number
  start: () => void
}

/** Several packs that cost more than 100 points together need a second press. */
function StartButton({ pack, quantity, balanceAfterCents, attemptQuery, start }: StartButtonProps) {
  const t = useOpeningT()
  const { intro } = t.opening
  const [confirming, setConfirming] = useState(false)
  const { attempt, error, refetch } = attemptQuery
  if (error) {
    return (
      <Button variant="secondary" size="lg" className="w-full" onClick={() => void refetch()}>
        {t.shell.tryAgain}
      </Button>
    )
  }
  const ready = attempt !== undefined && isSeed(attempt.clientSeed)
  const totalCents = quantity * pack.priceCents
  const total = shortPoints(totalCents)
  if (confirming) {
    return (
      <div role="group" aria-describedby="confirm-total">
        <p id="confirm-total" role="status" className="mb-3 text-sm">
          {intro.confirm(total, shortPoints(balanceAfterCents))}
        </p>
        <div className="grid grid-cols-[auto_1fr] gap-2.5">
          <Button variant="secondary" size="lg" onClick={() => setConfirming(false)}>
            {intro.cancel}
          </Button>
          <Button size="lg" disabled={!ready} {...spendOnce(start)} ref={focusOnMount}>
            {intro.confirmStart(total)}
          </Button>
        </div>
      </div>
    )
  }
  const needsConfirmation = quantity > 1 && totalCents > confirmAboveCents
  return (
    <Button
      size="lg"
      className="w-full"
      disabled={!ready}
      {...spendOnce(needsConfirmation ? () => setConfirming(true) : start)}
    >
      {quantity === 1 ? intro.start(total) : intro.startMany(quantity, total)}
    </Button>
  )
}

function focusOnMount(button: HTMLButtonElement | null): void {
  button?.focus({ preventScroll: true })
}
