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
        <BreakForm title={t.timeOut} options={timeOutDays.map((days) => ({ label: t.days(days), stop: { days } }))} />
        <BreakForm
          title={t.exclusion}
          options={[
            { label: t.months, stop: { forGood: false } },
            { label: t.forGood, stop: { forGood: true } },
          ]}
        />
      </div>
    </section>
  )
}

interface BreakOption {
  label: string
  stop: Break
}

function BreakForm({ title, options }: { title: string; options: readonly BreakOption[] }) {
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
      <div className="flex gap-3">
        <Select id={id} className="grow" value={selected} onChange={(event) => setSelected(Number(event.target.value))}>
          {options.map(({ label }, index) => (
            <option key={label} value={index}>
              {label}
            </option>
          ))}
        </Select>
        <Button
          variant="destructive"
          disabled={walletMismatch}
          aria-label={`${title}: ${t.begin}`}
          onClick={() => setConfirming(true)}
        >
          {t.begin}
        </Button>
      </div>
      {confirming && chosen && <ConfirmDialog title={title} option={chosen} onClose={() => setConfirming(false)} />}
    </fieldset>
  )
}

function ConfirmDialog({ title, option, onClose }: { title: string; option: BreakOption; onClose: () => void }) {
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
        <DialogHeader title={t.confirmTitle} text={t.confirmText(option.label)} />
        {'forGood' in option.stop && <p className="text-sm">{t.confirmExcluded}</p>}
        <div className="mt-4 flex justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button variant="destructive" disabled={stopping.isPending} onClick={() => stopping.mutate(option.stop)}>
            {stopping.isPending ? t.stopping : `${title}: ${option.label}`}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
