import { type FormEvent, useId, useState } from 'react'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { topupTexts } from '@/i18n/topup'
import { config } from '@/lib/config'
import { points } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/ui/button'
import { Coin } from '@/ui/points'
import { Spinner } from '@/ui/spinner'
import { AmountField } from './amount-field'
import { parseAmount } from './amount'
import { useManualDeposit } from './api/manual-deposit'

/** Adds Play Points: in sandbox mode for nothing, and said so. */
export function TopUpForm() {
  const texts = useT()
  const t = topupTexts.useT()
  const { frozen } = useSession()
  const [text, setText] = useState('')
  const [key, setKey] = useState(() => crypto.randomUUID())
  const deposit = useManualDeposit()
  const noteId = useId()
  const amount = parseAmount(text)

  function choose(next: string) {
    setText(next)
    setKey(crypto.randomUUID())
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (amount === undefined || deposit.isPending) return
    deposit.mutate(
      { amount, key },
      {
        onSuccess: () => {
          choose('')
          toast({ title: t.added, description: t.addedText(points(amount * 100)) })
        },
        onError: (error) => toast({ title: t.failed, description: errorText(error, texts), variant: 'destructive' }),
      },
    )
  }

  return (
    <form onSubmit={submit} className="panel rounded-2xl p-6">
      <h2 className="font-semibold">{t.add}</h2>
      <AmountField text={text} invalid={text !== '' && amount === undefined} onChange={choose} />
      <p className="mt-4 flex items-center gap-2 text-sm text-muted-foreground">
        <Coin />
        {t.rate}
      </p>
      <Button
        type="submit"
        size="lg"
        className="mt-5 w-full"
        disabled={!config.sandbox || frozen || amount === undefined || deposit.isPending}
        aria-describedby={noteId}
      >
        {deposit.isPending && <Spinner />}
        {deposit.isPending ? t.submitting : amount === undefined ? t.submitEmpty : t.submit(points(amount * 100, 0))}
      </Button>
      <p id={noteId} className="mt-3 text-center text-xs text-muted-foreground">
        {config.sandbox ? t.sandboxNote : t.unavailable}
      </p>
    </form>
  )
}
