import { Link } from '@tanstack/react-router'
import { useOpeningT } from './texts'
import { usePackName } from '@/i18n/names'
import { errorText } from '@/i18n/error-text'
import type { Pack } from '@/contract/types'
import { points } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { PackCover } from '@/components/pack-cover'
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
  start: () => void
}

/** The pack, its odds, the lock on its result, and the start button, the only one that spends points. */
export function IntroStage({ pack, attemptQuery, balanceCents, start }: IntroStageProps) {
  const t = useOpeningT().opening.intro
  const packName = usePackName()
  const left = balanceCents === undefined ? NaN : balanceCents - pack.priceCents
  // A sent attempt is paid for already, or the server will reject it.
  const poor = left < 0 && !attemptQuery.attempt?.sent
  return (
    <Stage>
      <div className="grid w-full max-w-5xl items-center gap-x-20 gap-y-10 lg:grid-cols-[1fr_27rem]">
        <PackCover pack={pack} state="turning" className="mx-auto w-[min(30rem,48dvh)]" />
        <div>
          <p className="eyebrow">{t.contents(pack.itemsPerPack)}</p>
          <h2 className="mt-1 text-4xl font-semibold tracking-tight">{packName(pack)}</h2>
          <p className="mt-2 text-lg text-muted-foreground">{t.prompt}</p>
          <Odds packId={pack.id} />
          <LockPanel attemptQuery={attemptQuery} />
          <StartButton pack={pack} attemptQuery={attemptQuery} start={start} poor={poor} />
          <p className="mt-3 text-center text-[0.8125rem] text-muted-foreground">
            <span>{t.nothingCharged}</span>
            {poor && <Missing cents={-left} />}
            {left >= 0 && <span className="block tabular-nums">{t.balanceAfter(points(left))}</span>}
          </p>
        </div>
      </div>
    </Stage>
  )
}

function Missing({ cents }: { cents: number }) {
  const t = useOpeningT()
  return (
    <span className="block tabular-nums">
      <span>{t.opening.intro.notEnough(points(cents))}</span>{' '}
      <Link to="/topup" className="text-gold-text underline underline-offset-4">
        {t.shell.nav.topUp}
      </Link>
    </span>
  )
}

/** The inputs fixed before the start: the server's commitment and the user's seed. */
function LockPanel({ attemptQuery }: Pick<IntroStageProps, 'attemptQuery'>) {
  const t = useOpeningT()
  const { attempt, error, setSeed } = attemptQuery
  if (error) {
    return (
      <p role="alert" className="panel my-7 rounded-xl p-4 text-sm text-destructive-text">
        {`${t.opening.intro.lockFailed} ${errorText(error, t)}`}
      </p>
    )
  }
  return (
    <div className="panel my-7 divide-y divide-line overflow-hidden rounded-xl">
      <ResultLock commitment={attempt?.commitment} />
      <SeedField seed={attempt?.clientSeed} locked={attempt?.sent ?? true} onChange={setSeed} />
      {attempt?.sent && (
        <p className="bg-warning px-4 py-3 text-[0.8125rem] text-warning-foreground">{t.opening.intro.unanswered}</p>
      )}
    </div>
  )
}

interface StartButtonProps extends Pick<IntroStageProps, 'pack' | 'attemptQuery' | 'start'> {
  poor: boolean
}

function StartButton({ pack, attemptQuery, start, poor }: StartButtonProps) {
  const t = useOpeningT()
  const { attempt, error, refetch } = attemptQuery
  if (error) {
    return (
      <Button variant="secondary" size="lg" className="w-full" onClick={() => void refetch()}>
        {t.shell.tryAgain}
      </Button>
    )
  }
  const ready = attempt !== undefined && isSeed(attempt.clientSeed)
  const price = points(pack.priceCents, pack.priceCents % 100 === 0 ? 0 : 2)
  return (
    <Button size="lg" className="w-full" disabled={!ready || poor} onClick={start}>
      {t.opening.intro.start(price)}
    </Button>
  )
}
