import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { sealedStateQuery } from '@/api/admin-figures'
import type { SealedState } from '@/contract/types'
import { useLanguage } from '@/i18n'
import { usePackName } from '@/i18n/names'
import { fixed, number, preciseTime } from '@/lib/format'
import { Badge } from '@/components/ui/badge'
import { type Fact, Facts } from '@/components/ui/facts'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { Problem } from '../problem'
import { sealedTexts } from './texts'

/** What the orders of sealed packs wait for, and what their draws depend on. */
export default function SealedPanel() {
  const t = sealedTexts.useT().sealed
  const state = useQuery(sealedStateQuery)
  return (
    <Loaded query={state} failed={t.failed} skeleton={<Skeleton className="h-80 rounded-2xl" />}>
      {({ packs, lateRounds, beacon, witnesses }) => (
        <div className="space-y-4">
          <Orders packs={packs} lateRounds={lateRounds} />
          <Beacon beacon={beacon} />
          <Witnesses health={witnesses} />
        </div>
      )}
    </Loaded>
  )
}

function Section({ id, title, text, children }: { id: string; title: string; text: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="panel rounded-2xl p-6">
      <h3 id={id} className="font-semibold">
        {title}
      </h3>
      <p className="mt-1 text-sm text-pretty text-muted-foreground">{text}</p>
      {children}
    </section>
  )
}

interface Row {
  key: string
  title: string
  badge?: ReactNode
  facts: readonly Fact[]
}

function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <ul className="mt-4 divide-y divide-line border-t border-line">
      {rows.map(({ key, title, badge, facts }) => (
        <li key={key} className="py-4 last:pb-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
            <p className="min-w-0 font-medium break-words">{title}</p>
            {badge}
          </div>
          <Facts layout="cells" facts={facts} className="mt-2.5" />
        </li>
      ))}
    </ul>
  )
}

function Time({ at }: { at: string }) {
  const language = useLanguage()
  return <time dateTime={at}>{preciseTime(at, language)}</time>
}

const secondsOf = (ms: number): number => Math.floor(ms / 1000)

function Orders({ packs, lateRounds }: Pick<SealedState, 'packs' | 'lateRounds'>) {
  const t = sealedTexts.useT().sealed
  const language = useLanguage()
  const packName = usePackName()
  return (
    <Section id="waiting-orders" title={t.orders} text={packs.length > 0 ? t.ordersText : t.noOrders}>
      {packs.length > 0 && (
        <Rows
          rows={packs.map((pack) => ({
            key: `${pack.packId} ${pack.round}`,
            title: packName(pack),
            badge: <Badge>{t.waiting(pack.orders)}</Badge>,
            facts: [
              { label: t.oldest, value: t.lasting(secondsOf(pack.oldestAgeMs)) },
              { label: t.nextRound, value: number(pack.round) },
              { label: t.due, value: <Time at={pack.roundAt} /> },
              { label: t.lateBy, value: pack.lateMs > 0 ? t.lasting(secondsOf(pack.lateMs)) : t.onTime },
            ],
          }))}
        />
      )}
      <h4 className="mt-6 text-sm font-semibold">{t.late}</h4>
      <p className="mt-1 text-sm text-pretty text-muted-foreground">{lateRounds.length > 0 ? t.lateText : t.noLate}</p>
      {lateRounds.length > 0 && (
        <Rows
          rows={lateRounds.map(({ beacon, round, roundAt, lateMs, orders, refundsAt }) => ({
            key: `${beacon} ${round}`,
            title: t.round(round),
            badge: <Badge variant="destructive">{t.waiting(orders)}</Badge>,
            facts: [
              { label: t.due, value: <Time at={roundAt} /> },
              { label: t.lateBy, value: t.lasting(secondsOf(lateMs)) },
              {
                label: t.next,
                value: refundsAt ? t.refunds(preciseTime(refundsAt, language)) : t.drawing,
                wide: true,
              },
            ],
          }))}
        />
      )}
    </Section>
  )
}

function Beacon({ beacon }: Pick<SealedState, 'beacon'>) {
  const t = sealedTexts.useT().sealed
  const { name, checked, clockReady, problem, lastRound, lastSeenAt, latenessMs = 0 } = beacon
  return (
    <Section id="beacon" title={t.beacon} text={t.beaconText}>
      <Facts
        layout="cells"
        className="mt-4"
        facts={[
          { label: t.name, value: name },
          {
            label: t.clock,
            value: !checked ? (
              <Badge className="whitespace-normal">{t.unchecked}</Badge>
            ) : clockReady ? (
              <Badge variant="positive">{t.agrees}</Badge>
            ) : (
              <Badge variant="destructive">{t.differs}</Badge>
            ),
          },
          { label: t.lastRound, value: lastRound === undefined ? t.none : number(lastRound) },
          ...(lastSeenAt
            ? [
                { label: t.arrived, value: <Time at={lastSeenAt} /> },
                { label: t.delay, value: t.lateness(fixed(Math.abs(latenessMs) / 1000, 1), latenessMs < 0) },
              ]
            : []),
        ]}
      />
      {checked && problem && <Problem>{t.problem(problem)}</Problem>}
    </Section>
  )
}

type Health = NonNullable<SealedState['witnesses']>

function Witnesses({ health }: { health: Health | undefined }) {
  const t = sealedTexts.useT().sealed
  const language = useLanguage()
  if (!health)
    return (
      <Section id="witnesses" title={t.witnesses} text={t.noWitnesses}>
        <p className="mt-1 text-sm text-pretty text-muted-foreground">{t.noWitnessesText}</p>
      </Section>
    )
  const { quorum, fresh, lastQuorumAt, uncosigned, wantedSince, behind, witnesses } = health
  const silent = !fresh && (uncosigned > 0 || !lastQuorumAt || wantedSince !== null)
  return (
    <Section id="witnesses" title={t.witnesses} text={t.policy(quorum, witnesses.length)}>
      <Facts
        layout="cells"
        className="mt-4"
        facts={[
          {
            label: t.quorum,
            value: silent ? (
              <Badge variant="destructive">{t.noQuorum}</Badge>
            ) : (
              <Badge variant={fresh ? 'positive' : 'neutral'} className="whitespace-normal">
                {fresh ? t.fresh : t.idle}
              </Badge>
            ),
          },
          { label: t.lastQuorum, value: lastQuorumAt ? <Time at={lastQuorumAt} /> : t.never },
          { label: t.uncosigned, value: number(uncosigned) },
        ]}
      />
      {silent && <Problem>{t.silent}</Problem>}
      {behind && <Problem>{t.behind}</Problem>}
      <Rows
        rows={witnesses.map(({ name, url, cosignedAt, cosignedSize, lastFailure }) => ({
          key: `${name} ${url}`,
          title: name,
          facts: [
            { label: t.cosigned, value: cosignedAt ? <Time at={cosignedAt} /> : t.never },
            { label: t.size, value: number(cosignedSize) },
            {
              label: t.lastFailure,
              value: lastFailure ? t.failures[lastFailure.result] : t.noFailure,
            },
            ...(lastFailure
              ? [
                  {
                    label: t.reason,
                    value: t.failedAt(preciseTime(lastFailure.at, language), lastFailure.cause),
                    wide: true,
                    className: 'break-words',
                  },
                ]
              : []),
          ],
        }))}
      />
    </Section>
  )
}
