import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { useDraws } from '@/api/draws'
import { logKeyUrl } from '@/api/log-key'
import { useLanguage } from '@/i18n'
import { fairnessTexts } from './texts'
import type { Draws } from '@/lib/contract/types'
import { dateTime, number } from '@/lib/format'
import { ErrorState } from '@/ui/error-state'
import { Skeleton } from '@/ui/skeleton'

/** The state of the log, as it is now. */
export function CheckpointPanel() {
  const t = fairnessTexts.useT()
  const { data, error, refetch } = useDraws()
  return (
    <section aria-labelledby="log" className="panel flex flex-col rounded-2xl p-6">
      <h2 id="log" className="flex items-center gap-2.5 text-lg font-semibold">
        <span
          aria-hidden
          className="size-2 rounded-full bg-positive-text motion-safe:animate-pulse motion-safe:[animation-iteration-count:2]!"
        />
        {t.log}
      </h2>
      <p className="mt-1 text-sm text-pretty text-muted-foreground">{t.logText}</p>
      {data && <State draws={data} />}
      {!data && error && <ErrorState title={t.logFailed} error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton className="mt-5 h-40" />}
      <p className="mt-auto flex flex-wrap gap-x-5 gap-y-1 pt-5 text-sm">
        <Published href="/log/checkpoint">{t.checkpointLink}</Published>
        <Published href={logKeyUrl}>{t.keyLink}</Published>
      </p>
    </section>
  )
}

function Published({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="inline-flex items-center gap-1.5 text-gold-text underline underline-offset-4"
    >
      {children}
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  )
}

function State({ draws: { opens, checkpoint } }: { draws: Draws }) {
  const t = fairnessTexts.useT()
  const language = useLanguage()
  if (!checkpoint) return <p className="mt-5 text-sm">{t.emptyLog}</p>
  return (
    <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-4">
      <Fact label={t.size}>{number(checkpoint.size)}</Fact>
      <Fact label={t.opens}>{number(opens)}</Fact>
      <div className="col-span-2">
        <dt className="text-xs text-muted-foreground">{t.root}</dt>
        <dd className="font-mono text-xs leading-5 break-all">{checkpoint.root}</dd>
      </div>
      <div>
        <dt className="text-xs text-muted-foreground">{t.signedAt}</dt>
        <dd className="text-sm tabular-nums">
          <time dateTime={checkpoint.signedAt}>{dateTime(checkpoint.signedAt, language)}</time>
        </dd>
      </div>
      <div className="min-w-0">
        <dt className="text-xs text-muted-foreground">{t.origin}</dt>
        <dd className="truncate font-mono text-xs leading-6" title={checkpoint.origin}>
          {checkpoint.origin}
        </dd>
      </div>
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted-foreground">{label}</dt>
      <dd className="text-3xl leading-tight font-semibold tracking-tight tabular-nums">{children}</dd>
    </div>
  )
}
