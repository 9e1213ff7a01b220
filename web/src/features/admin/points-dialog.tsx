import * as z from 'zod/mini'
import { useDebit } from '@/api/admin-moderation'
import { useCreditPoints } from '@/api/admin-users'
import type { AdminUser } from '@/contract/types'
import { terms } from '@/lib/config'
import { anyText, required } from '@/lib/field-parsers'
import { points } from '@/lib/format'
import { numberKinds } from '@/lib/parse-number'
import { priceCents } from '@/lib/parse-price'
import { Field } from '@/components/ui/form/field'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { displayName } from './display-name'
import { FormDialog } from './form-dialog'
import { adminTexts } from './texts'
import { useUserActHandlers } from './use-user-act-handlers'

export type PointsAct = 'credit' | 'debit'

/** The least and most amount of each act, in cents. */
const limits = {
  credit: [terms.leastDeposit * 100, terms.mostDeposit * 100],
  debit: [1, 100_000_000],
} as const satisfies Record<PointsAct, readonly [number, number]>

interface PointsDialogProps {
  act: PointsAct
  user: AdminUser
  onClose: () => void
}

/** Credits points to a user, or takes them back. */
export default function PointsDialog({ act, user, onClose }: PointsDialogProps) {
  const t = adminTexts.useT().users
  const adminT = adminTexts.useT().admin
  const [least, most] = limits[act]
  const bounds = [points(least, least % 100 ? 2 : 0), points(most, 0)] as const
  const form = useForm({
    schema: z.object({
      amount: required((text) => {
        const cents = priceCents(text) ?? 0
        return cents >= least && cents <= most ? cents : undefined
      }),
      reason: required(anyText),
    }),
    defaultValues: { amount: '', reason: '' },
    fieldErrorText: (_, field) => (field === 'amount' ? t.wrongAmount(...bounds) : t.required),
  })
  const handlers = useUserActHandlers(form.showServerErrors, onClose)
  const credit = useCreditPoints({
    ...handlers,
    onDone: ({ approval }) => handlers.onDone(approval && adminT.waitsForSecond),
  })
  const debit = useDebit({
    ...handlers,
    onDone: ({ approval, takenCents, missingCents }) =>
      handlers.onDone(
        approval ? adminT.waitsForSecond : t.taken(points(takenCents), missingCents, points(missingCents)),
      ),
  })
  return (
    <FormDialog
      title={t[`${act}Of`](displayName(user))}
      text={t[`${act}Text`]}
      confirm={t[act]}
      destructive={act === 'debit'}
      form={form}
      pending={credit.isPending || debit.isPending}
      onSubmit={({ amount: cents, reason }) =>
        act === 'credit'
          ? credit.mutate({ amount: cents / 100, walletAddress: user.walletAddress, reason })
          : debit.mutate({ id: user.id, amountCents: cents, reason })
      }
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
