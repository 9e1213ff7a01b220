import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { useDraws } from '@/api/fairness'
import { checkpointUrl, logKeyUrl } from '@/api/log'
import { useLanguage } from '@/i18n'
import { proofsTexts } from './texts'
import type { Draws } from '@/contract/types'
import { dateTime, number } from '@/lib/format'
import { Facts } from '@/components/ui/facts'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'

const large = 'text-3xl leading-tight tracking-tight'

/** The current state of the log. */
export function CheckpointPanel() {
  const t = proofsTexts.useT().fairness
  const draws = useDraws()
  return (
    <section aria-labelledby="log" className="panel flex flex-col rounded-2xl p-6">
      <h2 id="log" className="flex items-center gap-2.5 text-lg font-semibold">
        <span
          aria-hidden
          className="size-2 rounded-full bg-positive-text motion-safe:animate-pulse motion-safe:[animation-iteration-count:2]!"
        />
        <span>{t.log}</span>
      </h2>
      <p className="mt-1 text-sm text-pretty text-muted-foreground">{t.logText}</p>
      <Loaded query={draws} failed={t.logFailed} skeleton={<Skeleton className="mt-5 h-40" />}>
        {(known) => <Checkpoint draws={known} />}
      </Loaded>
      <p className="mt-auto flex flex-wrap gap-x-5 gap-y-1 pt-5 text-sm">
        <PublishedLink href={checkpointUrl}>{t.checkpointLink}</PublishedLink>
        <PublishedLink href={logKeyUrl}>{t.keyLink}</PublishedLink>
      </p>
    </section>
  )
}

function PublishedLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="inline-flex items-center gap-1.5 text-gold-text underline underline-offset-4"
    >
      <span>{children}</span>
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  )
}

function Checkpoint({ draws: { opens, checkpoint } }: { draws: Draws }) {
  const t = proofsTexts.useT().fairness
  const language = useLanguage()
  if (!checkpoint) return <p className="mt-5 text-sm">{t.emptyLog}</p>
  return (
    <Facts
      layout="stacks"
      className="mt-5 grid grid-cols-2 gap-x-6 gap-y-4"
      facts={[
        { label: t.size, value: number(checkpoint.size), className: large },
        { label: t.opens, value: number(opens), className: large },
        {
          label: t.root,
          value: checkpoint.root,
          className: 'font-mono text-xs leading-5 font-normal break-all',
          wide: true,
        },
        {
          label: t.signedAt,
          value: <time dateTime={checkpoint.signedAt}>{dateTime(checkpoint.signedAt, language)}</time>,
          className: 'text-sm font-normal',
        },
        {
          label: t.origin,
          value: <span title={checkpoint.origin}>{checkpoint.origin}</span>,
          className: 'truncate font-mono text-xs leading-6 font-normal',
        },
      ]}
    />
  )
}
