import { useId, useState } from 'react'
import { type Break, useTakeBreak } from '@/api/limits'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Select } from '@/components/ui/select'
import { limitsTexts } from './texts'

const timeOutDays = [1, 3, 7, 14, 28, 42]

/** Time-out and self-exclusion. */
export function TakeBreak() {
  const t = limitsTexts.useT().stop
  return (
    <section className="panel mb-6 rounded-2xl px-6 py-5">
      <h2 className="text-lg font-semibold">{t.heading}</h2>
      <p className="mt-1 mb-4 max-w-prose text-sm text-muted-foreground">{t.text}</p>
      <div className="grid gap-4 lg:grid-cols-2">
        <BreakForm
          title={t.timeOut}
          begin={t.beginTimeOut}
          options={timeOutDays.map((days) => ({
            label: t.days(days),
            question: t.timeOutQuestion(days),
            effect: t.effect,
            stop: { days },
          }))}
        />
        <BreakForm
          title={t.exclusion}
          begin={t.beginExclusion}
          options={[
            { label: t.months, question: t.monthsQuestion, effect: t.effect, stop: { forGood: false } },
            { label: t.forGood, question: t.forGoodQuestion, effect: t.effectForGood, stop: { forGood: true } },
          ]}
        />
      </div>
    </section>
  )
}

interface BreakOption {
  label: string
  /** Asks to confirm it. */
  question: string
  /** What it prevents, and for how long. */
  effect: string
  stop: Break
}

interface BreakFormProps {
  title: string
  /** Label of the button that opens the question, and of the one that confirms it. */
  begin: string
  options: readonly BreakOption[]
}

function BreakForm({ title, begin, options }: BreakFormProps) {
  const t = limitsTexts.useT().stop
  const { walletMismatch } = useSession()
  const id = useId()
  const [selected, setSelected] = useState(0)
  const [confirming, setConfirming] = useState(false)
  const chosen = options[selected]
  return (
    <fieldset className="rounded-xl border p-4">
      <legend className="px-1 font-semibold">{title}</legend>
      <label htmlFor={id} className="mb-1 block text-sm">
        {t.length}
      </label>
      <div className="flex flex-wrap gap-3">
        <Select id={id} className="grow" value={selected} onChange={(event) => setSelected(Number(event.target.value))}>
          {options.map(({ label }, index) => (
            <option key={label} value={index}>
              {label}
            </option>
          ))}
        </Select>
        <Button disabled={walletMismatch} onClick={() => setConfirming(true)}>
          {begin}
        </Button>
      </div>
      {confirming && chosen && <ConfirmDialog begin={begin} option={chosen} onClose={() => setConfirming(false)} />}
    </fieldset>
  )
}

interface ConfirmDialogProps {
  begin: string
  option: BreakOption
  onClose: () => void
}

function ConfirmDialog({ begin, option, onClose }: ConfirmDialogProps) {
  const texts = useT()
  const t = limitsTexts.useT().stop
  const stopping = useTakeBreak({
    onSuccess: () => {
      toast({ title: t.done })
      onClose()
    },
    onError: (error) => toast({ title: t.failed, description: errorText(error, texts), variant: 'destructive' }),
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={option.question} text={option.effect} />
        {'forGood' in option.stop && <p className="text-sm">{t.confirmExcluded}</p>}
        <div className="mt-4 flex justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button disabled={stopping.isPending} onClick={() => stopping.mutate(option.stop)}>
            {stopping.isPending ? t.stopping : begin}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
