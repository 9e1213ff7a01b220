import { Link } from '@tanstack/react-router'
import { useOpeningT } from './texts'
import { errorText } from '@/i18n/error-text'
import type { Pack } from '@/contract/types'
import { points } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { PackCover } from '@/components/pack-cover'
import { isSeed } from './attempt'
import { Odds } from './odds'
import { Seal } from './seal'
import { SeedField } from './seed-field'
import { Stage } from './stage'
import type { useAttempt } from './use-attempt'

interface IntroStageProps {
  pack: Pack
  entry: ReturnType<typeof useAttempt>
  balanceCents: number | undefined
  start: () => void
}

/** The pack, the seal on its result, and the one button that spends points. */
export function IntroStage({ pack, entry, balanceCents, start }: IntroStageProps) {
  const t = useOpeningT().opening.intro
  const left = balanceCents === undefined ? NaN : balanceCents - pack.priceCents
  // What was asked for already is paid, or will be refused by the server.
  const poor = left < 0 && !entry.attempt?.sent
  return (
    <Stage>
      <div className="grid w-full max-w-5xl items-center gap-x-20 gap-y-10 lg:grid-cols-[1fr_27rem]">
        <PackCover pack={pack} state="turning" className="mx-auto w-[min(30rem,48dvh)]" />
        <div>
          <p className="eyebrow">{t.contents(pack.itemsPerPack)}</p>
          <h2 className="mt-1 text-4xl font-semibold tracking-tight">{pack.name}</h2>
          <p className="mt-2 text-lg text-muted-foreground">{t.prompt}</p>
          <Odds packId={pack.id} />
          <Sealed entry={entry} />
          <StartButton pack={pack} entry={entry} start={start} poor={poor} />
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

/** What is fixed before the start: the server's seal and the visitor's own seed. */
function Sealed({ entry }: Pick<IntroStageProps, 'entry'>) {
  const t = useOpeningT()
  const { attempt, error, setSeed } = entry
  if (error) {
    return (
      <p role="alert" className="panel my-7 rounded-xl p-4 text-sm text-destructive-text">
        {`${t.opening.intro.lockFailed} ${errorText(error, t)}`}
      </p>
    )
  }
  return (
    <div className="panel my-7 divide-y divide-line overflow-hidden rounded-xl">
      <Seal commitment={attempt?.commitment} />
      <SeedField seed={attempt?.clientSeed} locked={attempt?.sent ?? true} onChange={setSeed} />
      {attempt?.sent && (
        <p className="bg-warning px-4 py-3 text-[0.8125rem] text-warning-foreground">{t.opening.intro.unanswered}</p>
      )}
    </div>
  )
}

interface StartButtonProps extends Pick<IntroStageProps, 'pack' | 'entry' | 'start'> {
  poor: boolean
}

function StartButton({ pack, entry, start, poor }: StartButtonProps) {
  const t = useOpeningT()
  const { attempt, error, refetch } = entry
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
