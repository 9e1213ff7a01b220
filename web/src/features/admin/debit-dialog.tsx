import * as z from 'zod/mini'
import { useDebit } from '@/api/admin-moderation'
import type { AdminUser } from '@/contract/types'
import { points } from '@/lib/format'
import { anyText, required } from '@/lib/field-parsers'
import { numberKinds } from '@/lib/parse-number'
import { priceCents } from '@/lib/parse-price'
import { Field } from '@/components/ui/form/field'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { FormDialog } from './form-dialog'
import { adminTexts } from './texts'
import { displayName, useUserActHandlers } from './use-user-act-handlers'

const mostCents = 100_000_000
const bounds = [points(1), points(mostCents, 0)] as const

const debited = z.object({ amount: required(centsOf), reason: required(anyText) })

function centsOf(text: string): number | undefined {
  const cents = priceCents(text) ?? 0
  return cents >= 1 && cents <= mostCents ? cents : undefined
}

/** Takes points back from a user. */
export default function DebitDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const t = adminTexts.useT().users
  const adminT = adminTexts.useT().admin
  const form = useForm({
    schema: debited,
    defaultValues: { amount: '', reason: '' },
    fieldErrorText: (_, field) => (field === 'amount' ? t.wrongAmount(...bounds) : t.required),
  })
  const handlers = useUserActHandlers(form.showServerErrors, onClose)
  const debit = useDebit({
    ...handlers,
    onDone: ({ approval, takenCents, missingCents }) =>
      handlers.onDone(
        approval ? adminT.waitsForSecond : t.taken(points(takenCents), missingCents, points(missingCents)),
      ),
  })
  return (
    <FormDialog
      title={t.debitOf(displayName(user))}
      text={t.debitText}
      confirm={t.debit}
      form={form}
      pending={debit.isPending}
      onSubmit={({ amount, reason }) => debit.mutate({ id: user.id, amountCents: amount, reason })}
      onClose={onClose}
    >
      <NumberField
        form={form}
        name="amount"
        label={t.amount}
        hint={t.amountHint(...bounds)}
        className="col-span-2"
        kind={numberKinds.money}
      />
      <Field form={form} name="reason" label={t.reason} hint={t.shownReasonHint} className="col-span-2">
        {(control) => <Input {...control} autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}
