import { Check, Circle, MessageSquare } from 'lucide-react'
import { roadmapTexts } from '@/i18n/roadmap'
import { config } from '@/lib/config'
import { cn } from '@/lib/cn'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { PageHeader } from '@/ui/page-header'

export { roadmapTexts as texts }

export function RoadmapPage() {
  const t = roadmapTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <ol className="grid gap-5 lg:grid-cols-2">
        {t.phases.map((phase) => (
          <li key={phase.title} className="panel rounded-2xl p-6">
            <Phase {...phase} />
          </li>
        ))}
      </ol>
      {config.social && <Feedback href={config.social} />}
    </>
  )
}

type PhaseProps = ReturnType<typeof roadmapTexts.useT>['phases'][number]

const badges = { completed: 'positive', 'in-progress': 'gold', planned: 'neutral' } as const

function Phase({ title, timeline, status, checklist }: PhaseProps) {
  const t = roadmapTexts.useT()
  const done = checklist.filter((item) => item.done).length
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
        aria-valuemax={checklist.length}
        aria-valuenow={done}
        aria-valuetext={t.share(done, checklist.length)}
        className="mt-5 h-1.5 overflow-hidden rounded-full bg-muted"
      >
        <div
          className={cn('h-full rounded-full', status === 'completed' ? 'bg-positive-text' : 'bg-gold')}
          style={{ width: `${(done / checklist.length) * 100}%` }}
        />
      </div>
      <ul className="mt-5 space-y-2.5 text-sm">
        {checklist.map((item) => (
          <li key={item.text} className={cn('flex items-center gap-2.5', !item.done && 'text-muted-foreground')}>
            {item.done ? (
              <Check role="img" aria-label={t.itemDone} className="size-4 shrink-0 text-positive-text" />
            ) : (
              <Circle role="img" aria-label={t.itemOpen} className="size-4 shrink-0 text-muted-foreground" />
            )}
            {item.text}
          </li>
        ))}
      </ul>
    </article>
  )
}

function Feedback({ href }: { href: string }) {
  const t = roadmapTexts.useT()
  return (
    <section className="panel mt-8 flex flex-wrap items-center justify-between gap-4 rounded-2xl p-6">
      <div>
        <h2 className="font-semibold">{t.feedbackTitle}</h2>
        <p className="mt-1 text-sm text-muted-foreground">{t.feedbackText}</p>
      </div>
      <Button asChild variant="secondary">
        <a href={href} target="_blank" rel="noreferrer">
          <MessageSquare aria-hidden />
          {t.feedback}
        </a>
      </Button>
    </section>
  )
}
