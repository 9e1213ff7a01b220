import { useId } from 'react'
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { useDeposit } from '@/api/deposit'
import { Coin } from '@/domain/points'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { topupTexts } from './texts'
import { config, terms } from '@/lib/config'
import { points } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { required, whole } from '@/lib/typed'
import { Field } from '@/ui/form/field'
import { Form, SubmitButton } from '@/ui/form/form'
import { useForm } from '@/ui/form/use-form'
import { Input } from '@/ui/input'
import { QuickAmounts } from './quick-amounts'

const { leastDeposit, mostDeposit } = terms
const bounds = [points(leastDeposit * 100, 0), points(mostDeposit * 100, 0)] as const

/** In whole points. */
const deposited = z.object({ amount: required(whole(leastDeposit, mostDeposit)) })

/** Adds Play Points: in sandbox mode for nothing, and said so. */
export default function TopUpForm() {
  const texts = useT()
  const t = topupTexts.useT()
  const { frozen } = useSession()
  const form = useForm({ schema: deposited, typed: { amount: '' }, say: () => t.outOfRange(...bounds), live: true })
  const typed = useWatch({ control: form.control })
  const deposit = useDeposit({
    onDone: (_, added) => {
      form.reset()
      toast({ title: t.added, description: t.addedText(points(added.amount * 100)) })
    },
    onFailed: (error) => {
      if (!form.refuse(error)) toast({ title: t.failed, description: errorText(error, texts), variant: 'destructive' })
    },
  })
  const noteId = useId()
  const amount = deposited.safeParse(typed).data?.amount

  return (
    <section className="panel rounded-2xl p-6">
      <h2 className="font-semibold">{t.add}</h2>
      <Form
        form={form}
        pending={deposit.isPending}
        onSubmit={deposit.mutate}
        actions={
          <>
            <p className="mt-4 flex items-center gap-2 text-sm text-muted-foreground">
              <Coin />
              {t.rate}
            </p>
            <SubmitButton
              size="lg"
              className="mt-5 w-full"
              pending={deposit.isPending}
              disabled={!config.sandbox || frozen || amount === undefined}
              aria-describedby={noteId}
            >
              {deposit.isPending
                ? t.submitting
                : amount === undefined
                  ? t.submitEmpty
                  : t.submit(points(amount * 100, 0))}
            </SubmitButton>
            <p id={noteId} className="mt-3 text-center text-xs text-muted-foreground">
              {config.sandbox ? t.sandboxNote : t.unavailable}
            </p>
          </>
        }
      >
        <QuickAmounts
          chosen={typed.amount ?? ''}
          onChoose={(chosen) => form.setValue('amount', chosen, { shouldValidate: true })}
        />
        <Field form={form} name="amount" label={t.custom} hint={t.customHint(...bounds)} className="mt-5">
          {(control) => (
            <Input {...control} type="number" inputMode="numeric" min={leastDeposit} max={mostDeposit} step={1} />
          )}
        </Field>
      </Form>
    </section>
  )
}
