import * as z from 'zod/mini'
import { useCreditPoints } from '@/api/admin-users'
import { numberKinds } from '@/lib/parse-number'
import { terms } from '@/lib/config'
import type { AdminUser } from '@/contract/types'
import { points } from '@/lib/format'
import { priceCents } from '@/lib/parse-price'
import { anyText, required } from '@/lib/field-parsers'
import { Field } from '@/components/ui/form/field'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { FormDialog } from './form-dialog'
import { adminTexts } from './texts'
import { displayName, useUserActHandlers } from './use-user-act-handlers'

const { leastDeposit, mostDeposit } = terms
const bounds = [points(leastDeposit * 100, 0), points(mostDeposit * 100, 0)] as const

const credited = z.object({ amount: required(pointsOf), reason: required(anyText) })

function pointsOf(text: string): number | undefined {
  const amount = (priceCents(text) ?? 0) / 100
  return amount >= leastDeposit && amount <= mostDeposit ? amount : undefined
}

export default function CreditDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const t = adminTexts.useT().users
  const adminT = adminTexts.useT().admin
  const form = useForm({
    schema: credited,
    defaultValues: { amount: '', reason: '' },
    fieldErrorText: (_, field) => (field === 'amount' ? t.wrongAmount(...bounds) : t.required),
  })
  const handlers = useUserActHandlers(form.showServerErrors, onClose)
  const credit = useCreditPoints({
    ...handlers,
    onDone: ({ approval }) => handlers.onDone(approval && adminT.waitsForSecond),
  })
  return (
    <FormDialog
      title={t.creditOf(displayName(user))}
      text={t.creditText}
      confirm={t.credit}
      form={form}
      pending={credit.isPending}
      onSubmit={(given) => credit.mutate({ ...given, walletAddress: user.walletAddress })}
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
      <Field form={form} name="reason" label={t.reason} hint={t.reasonHint} className="col-span-2">
        {(control) => <Input {...control} autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}
