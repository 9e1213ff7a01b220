import { useId } from 'react'
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { Coin } from '@/components/points'
import { numberKinds } from '@/lib/parse-number'
import { config, terms } from '@/lib/config'
import { points } from '@/lib/format'
import { useSession } from '@/lib/session'
import { required, wholeNumber } from '@/lib/field-parsers'
import { Form, SubmitButton } from '@/components/ui/form/form'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { DemoPoints } from './demo-points'
import { QuickAmounts } from './quick-amounts'
import { walletTexts } from './texts'

const { leastDeposit, mostDeposit } = terms
const bounds = [points(leastDeposit * 100, 0), points(mostDeposit * 100, 0)] as const

const topUpSchema = z.object({ amount: required(wholeNumber(leastDeposit, mostDeposit)) })

interface TopUpFormProps {
  /** Whole points to fill in. */
  amount: number | undefined
  onPay: (amountCents: number) => void
}

export function TopUpForm({ amount: initial, onPay }: TopUpFormProps) {
  const t = walletTexts.useT().topup
  const { walletMismatch } = useSession()
  const form = useForm({
    schema: topUpSchema,
    defaultValues: { amount: initial === undefined ? '' : String(initial) },
    fieldErrorText: () => t.outOfRange(...bounds),
    live: true,
  })
  const values = useWatch({ control: form.control })
  const noteId = useId()
  const amount = topUpSchema.safeParse(values).data?.amount

  return (
    <section className="panel rounded-2xl p-6">
      <h2 className="font-semibold">{t.add}</h2>
      <Form
        form={form}
        pending={false}
        onSubmit={(body) => onPay(body.amount * 100)}
        actions={
          <>
            <p className="mt-4 flex items-center gap-2 text-sm text-muted-foreground">
              <Coin />
              <span>{t.rate}</span>
            </p>
            <SubmitButton
              size="lg"
              className="mt-5 w-full"
              pending={false}
              disabled={walletMismatch || amount === undefined}
              aria-describedby={noteId}
            >
              {amount === undefined ? t.submitEmpty : t.submit(points(amount * 100, 0))}
            </SubmitButton>
            <p id={noteId} className="mt-3 text-center text-xs text-pretty text-muted-foreground">
              {config.sandbox ? t.sandboxNote : t.note}
            </p>
          </>
        }
      >
        <QuickAmounts
          chosen={values.amount ?? ''}
          onChoose={(chosen) => form.setValue('amount', chosen, { shouldValidate: true })}
        />
        <NumberField
          form={form}
          name="amount"
          label={t.custom}
          hint={t.customHint(...bounds)}
          className="mt-5"
          kind={numberKinds.whole}
        />
      </Form>
      {config.sandbox && <DemoPoints amount={amount ?? demoPoints} />}
    </section>
  )
}

/** Test points without an amount in the form: enough for any pack. */
const demoPoints = Math.max(...terms.quickDeposits)
