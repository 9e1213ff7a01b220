import { useId } from 'react'
import { useLimits, useSetLimits } from '@/api/limits'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Select } from '@/components/ui/select'
import { limitsTexts } from './texts'

const choices = [15, 30, 60, 120]

export function RealitySetting() {
  const texts = useT()
  const t = limitsTexts.useT()
  const { walletMismatch } = useSession()
  const id = useId()
  const { data } = useLimits()
  const setting = useSetLimits({
    onSuccess: () => toast({ title: t.reality.saved }),
    onError: (error) =>
      toast({
        title: t.reality.failed,
        description: errorText(error, texts),
        variant: 'destructive',
      }),
  })
  const chosen = data?.realityMinutes ?? 0
  return (
    <section className="panel mb-6 rounded-2xl px-6 py-5">
      <h2 className="text-lg font-semibold">{t.reality.heading}</h2>
      <p className="mt-1 mb-3 text-sm text-muted-foreground">{t.reality.text}</p>
      <label htmlFor={id} className="mr-3 text-sm">
        {t.reality.label}
      </label>
      <Select
        id={id}
        className="w-52"
        disabled={!data || walletMismatch || setting.isPending}
        value={chosen}
        onChange={(event) => setting.mutate({ realityMinutes: Number(event.target.value) })}
      >
        <option value={0}>{t.reality.never}</option>
        {[...new Set([...choices, ...(chosen > 0 ? [chosen] : [])])].map((minutes) => (
          <option key={minutes} value={minutes}>
            {t.reality.minutes(minutes)}
          </option>
        ))}
      </Select>
    </section>
  )
}
