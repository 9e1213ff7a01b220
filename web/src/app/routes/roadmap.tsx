import { Check, Circle, MessageSquare } from 'lucide-react'
import { useState } from 'react'
import { routesTexts } from './texts'
import { config } from '@/lib/config'
import { cn } from '@/lib/cn'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'

export function RoadmapPage() {
  const t = routesTexts.useT().roadmap
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <ol className="grid gap-5 lg:grid-cols-2">
        {phaseStates.map((phase, index) => (
          <li key={phase.until} className="panel rounded-2xl p-6">
            <Phase {...phase} {...t.phases[index]!} />
          </li>
        ))}
      </ol>
      {config.social && <Feedback href={config.social} />}
    </>
  )
}

interface PhaseState {
  status: 'completed' | 'in-progress' | 'planned'
  /** The day after its end; from then on unfinished items are late. */
  until: string
  /** Whether each item of the checklist exists in the product. */
  done: readonly boolean[]
}

const phaseStates: readonly PhaseState[] = [
  { status: 'completed', until: '2025-10-01', done: [true, true, true, true] },
  { status: 'in-progress', until: '2026-01-01', done: [false, true, true, true, true] },
  { status: 'planned', until: '2026-04-01', done: [false, false, false, false] },
  { status: 'planned', until: '2026-07-01', done: [false, false, false, false] },
]

type PhaseProps = PhaseState & ReturnType<typeof routesTexts.useT>['roadmap']['phases'][number]

const badges = { completed: 'positive', 'in-progress': 'gold', planned: 'neutral' } as const

function Phase({ title, timeline, checklist, status, until, done }: PhaseProps) {
  const t = routesTexts.useT().roadmap
  const [today] = useState(() => new Date().toISOString())
  const all = checklist.length
  const doneCount = done.filter(Boolean).length
  return (
    <article>
      <div className="flex items-start justify-between gap-4">
        <div>
          <h2 className="text-lg font-semibold">{title}</h2>
          <p className="text-sm text-muted-foreground tabular-nums">{timeline}</p>
        </div>
        <Badge variant={badges[status]}>{t.status[status]}</Badge>
      </div>
      <div
        role="progressbar"
        aria-label={t.progress(title)}
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={doneCount}
        aria-valuetext={t.share(doneCount, all)}
        className="mt-5 h-1.5 overflow-hidden rounded-full bg-muted"
      >
        <div
          className={cn('h-full rounded-full', doneCount === all ? 'bg-positive-text' : 'bg-gold')}
          style={{ width: `${(doneCount / all) * 100}%` }}
        />
      </div>
      <p className="mt-2 flex justify-between gap-4 text-xs text-muted-foreground tabular-nums">
        <span aria-hidden>{t.share(doneCount, all)}</span>
        {doneCount < all && today >= until && <span>{t.late}</span>}
      </p>
      <ul className="mt-4 space-y-2.5 text-sm">
        {checklist.map((text, index) => (
          <Item key={text} text={text} done={done[index] ?? false} />
        ))}
      </ul>
    </article>
  )
}

function Item({ text, done }: { text: string; done: boolean }) {
  const t = routesTexts.useT().roadmap
  return (
    <li className={cn('flex items-center gap-2.5', !done && 'text-muted-foreground')}>
      {done ? (
        <Check role="img" aria-label={t.itemDone} className="size-4 shrink-0 text-positive-text" />
      ) : (
        <Circle role="img" aria-label={t.itemOpen} className="size-4 shrink-0 text-muted-foreground" />
      )}
      <span>{text}</span>
    </li>
  )
}

function Feedback({ href }: { href: string }) {
  const t = routesTexts.useT().roadmap
  return (
    <section className="panel mt-8 flex flex-wrap items-center justify-between gap-4 rounded-2xl p-6">
      <div>
        <h2 className="font-semibold">{t.feedbackTitle}</h2>
        <p className="mt-1 text-sm text-muted-foreground">{t.feedbackText}</p>
      </div>
      <Button asChild variant="secondary">
        <a href={href} target="_blank" rel="noreferrer">
          <MessageSquare aria-hidden />
          <span>{t.feedback}</span>
        </a>
      </Button>
    </section>
  )
}
