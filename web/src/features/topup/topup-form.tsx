import { type FormEvent, useId, useState } from 'react'
import { useDeposit } from '@/api/deposit'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { topupTexts } from './texts'
import { config } from '@/lib/config'
import { points } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/ui/button'
import { Coin } from '@/domain/points'
import { Spinner } from '@/ui/spinner'
import { AmountField } from './amount-field'
import { parseAmount } from './amount'

/** Adds Play Points: in sandbox mode for nothing, and said so. */
export function TopUpForm() {
  const texts = useT()
  const t = topupTexts.useT()
  const { frozen } = useSession()
  const [text, setText] = useState('')
  const deposit = useDeposit({
    onDone: (_, added) => {
      setText('')
      toast({ title: t.added, description: t.addedText(points(added.amount * 100)) })
    },
    onFailed: (error) => toast({ title: t.failed, description: errorText(error, texts), variant: 'destructive' }),
  })
  const noteId = useId()
  const amount = parseAmount(text)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (amount === undefined || deposit.isPending) return
    deposit.mutate({ amount })
  }

  return (
    <form onSubmit={submit} className="panel rounded-2xl p-6">
      <h2 className="font-semibold">{t.add}</h2>
      <AmountField text={text} invalid={text !== '' && amount === undefined} onChange={setText} />
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
