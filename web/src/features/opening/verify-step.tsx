import { Check, ChevronDown, Minus, X } from 'lucide-react'
import { type Dictionary, useT } from '@/i18n'
import { cn } from '@/lib/cn'
import type { Step } from '@/lib/fair/report'

const marks = {
  ok: { Icon: Check, look: 'bg-positive-text text-background' },
  info: { Icon: Minus, look: 'bg-muted text-muted-foreground' },
  failed: { Icon: X, look: 'bg-destructive text-destructive-foreground' },
}

/** One step: tick or cross, what it means in words, and on demand the numbers. */
export function VerifyStep({ step }: { step: Step }) {
  const t = useT().opening.verify
  const { Icon, look } = marks[step.state]
  const { words } = t.steps[step.id]
  return (
    <li>
      <details className="group" open={step.state === 'failed'}>
        <summary className="flex cursor-pointer list-none items-center gap-3 px-4 py-2.5 text-sm font-medium">
          <span className={cn('grid size-5 shrink-0 place-items-center rounded-full', look)}>
            <Icon aria-hidden className="size-3" strokeWidth={3} />
            <span className="sr-only">{t.state[step.state]}</span>
          </span>
          <span className="flex-1">{titleOf(step, t)}</span>
          <ChevronDown aria-hidden className="size-4 text-muted-foreground transition-transform group-open:rotate-180 motion-reduce:transition-none" />
        </summary>
        <div className="space-y-2.5 px-4 pb-4 pl-12 text-xs leading-relaxed">
          <p className="text-muted-foreground">{words}</p>
          {step.state === 'info' && <p className="text-muted-foreground">{noteOf(step, t)}</p>}
          <Numbers step={step} />
        </div>
      </details>
    </li>
  )
}

type Texts = Dictionary['opening']['verify']

function titleOf({ id, item = 0 }: Step, t: Texts): string {
  return id === 'item' ? t.steps.item.title(item + 1) : t.steps[id].title
}

/** Why a step could not be decided here. */
function noteOf({ id }: Step, t: Texts): string {
  if (id === 'receipt') return t.notes.unsupported
  return id === 'announced' ? t.notes.announced : t.notes.stock
}

function Numbers({ step }: { step: Step }) {
  const t = useT().opening.verify
  const result = (text: string) => (step.id === 'receipt' ? t.signature[text as keyof Texts['signature']] : text)
  const rows = [
    ...step.inputs.map(({ name, value }) => [t.facts[name], value] as const),
    ...(step.expected ? [[t.expected, result(step.expected)] as const] : []),
    [t.got, result(step.got) || t.nothing] as const,
  ]
  return (
    <dl className="grid grid-cols-[8.5rem_1fr] gap-x-4 gap-y-1.5">
      {rows.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-muted-foreground">{label}</dt>
          <dd className="font-mono text-[0.6875rem] leading-5 break-all whitespace-pre-line">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
