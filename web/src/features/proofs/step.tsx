import { Check, ChevronDown, Minus, X } from 'lucide-react'
import { proofsTexts } from './texts'
import { cn } from '@/lib/cn'
import type { Fact, NoteId, Step } from '@/lib/protocol/report'
import { Facts } from '@/components/ui/facts'
import { Spinner } from '@/components/ui/spinner'
import { CodeLine, verifyLogCommand } from './code-line'

const marks = {
  ok: { Icon: Check, classes: 'bg-positive-text text-background' },
  info: { Icon: Minus, classes: 'bg-muted text-foreground ring-1 ring-line-strong' },
  failed: { Icon: X, classes: 'bg-destructive text-destructive-foreground' },
}

/** Notes about checks that need the whole log. */
const notesNeedingLog = new Set<NoteId | undefined>([
  'announced',
  'stock',
  'next',
  'newCommitments',
  'roundLeaf',
  'endedLog',
  'voided',
  'lost',
])

type Texts = ReturnType<typeof proofsTexts.useT>['verify']['verification']

/** One step: its state and title, and folded away its explanation and values. */
export function VerifyStep({ step }: { step: Step }) {
  const { verification: t, byHand } = proofsTexts.useT().verify
  return (
    <li>
      <details className="group" open={step.state === 'failed'}>
        <summary className="flex cursor-pointer list-none items-center gap-3 rounded-xl px-4 py-2.5 text-sm font-medium hover:bg-muted/50">
          <StateMark step={step} />
          <span className="flex-1">{titleOf(step, t)}</span>
          <span className="font-mono text-[0.6875rem] text-muted-foreground max-lg:hidden">{summaryValue(step)}</span>
          <ChevronDown
            aria-hidden
            className="size-4 text-muted-foreground transition-transform group-open:rotate-180 motion-reduce:transition-none"
          />
        </summary>
        <div className="space-y-2.5 px-4 pb-4 pl-12 text-[0.8125rem] leading-relaxed">
          <p className="text-pretty text-muted-foreground">{t.steps[step.id].details}</p>
          {step.note && (
            <div className="space-y-2">
              <p className="text-pretty">{t.notes[step.note]}</p>
              {notesNeedingLog.has(step.note) && (
                <CodeLine text={verifyLogCommand()} words={byHand} label={verifyLogCommand()} />
              )}
            </div>
          )}
          <StepValues step={step} />
        </div>
      </details>
    </li>
  )
}

function StateMark({ step }: { step: Step }) {
  const t = proofsTexts.useT().verify.verification
  const { Icon, classes } = marks[step.state]
  const waiting = step.note === 'waiting'
  return (
    <span className={cn('grid size-5 shrink-0 place-items-center rounded-full', classes)}>
      {waiting ? <Spinner className="size-3" /> : <Icon aria-hidden className="size-3" strokeWidth={3} />}
      <span className="sr-only">{waiting ? t.waiting : t.state[step.state]}</span>
    </span>
  )
}

function titleOf({ id, item = 0 }: Step, t: Texts): string {
  return id === 'item' ? t.steps.item.title(item + 1) : t.steps[id].title
}

/** The value shown while the step is folded. */
function summaryValue({ id, got, inputs }: Step): string {
  const of = (name: Fact['name']) => inputs.find((input) => input.name === name)?.value ?? ''
  if (id === 'item') return got
  return id === 'inclusion' && got ? `${of('index')} / ${of('size')}` : ''
}

/** Expected and actual value, or one row if they're equal. */
function outcomeRows({ id, note, expected, got }: Step, t: Texts): (readonly [label: string, value: string])[] {
  if (note === 'waiting' || note === 'manifest' || (note === 'receiptOnly' && got === '')) return []
  if (id === 'key') return [[t.facts.key, got]]
  if ((id === 'fixed' || id === 'drawn') && got === '' && expected === '') return []
  if (expected === got) return [[t.same, got]]
  return [...(expected ? [[t.expected, expected] as const] : []), [t.got, got]]
}

function StepValues({ step }: { step: Step }) {
  const t = proofsTexts.useT().verify.verification
  const signature = step.id === 'receipt' || step.id === 'checkpoint'
  const result = (text: string) => (signature ? (t.signature[text as keyof Texts['signature']] ?? text) : text)
  const rows = [
    ...step.inputs.map(({ name, value }) => [t.facts[name], value] as const),
    ...outcomeRows(step, t).map(([label, value]) => [label, result(value) || t.nothing] as const),
  ]
  return (
    <Facts
      layout="columns"
      className="grid-cols-[8.5rem_1fr] gap-y-1.5"
      facts={rows.map(([label, value]) => ({
        label,
        value,
        className: 'text-[0.6875rem] break-all whitespace-pre-line',
      }))}
    />
  )
}
