import * as z from 'zod/mini'
import { useResolveDeposit } from '@/api/admin-deposits'
import type { AdminDeposit } from '@/contract/types'
import { dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import { anyText, oneOf, required } from '@/lib/field-parsers'
import { Field } from '@/components/ui/form/field'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { decisions, decisionsFor } from './deposit-decisions'
import { isDeletedAddress } from './user-badges'
import { FormDialog } from './form-dialog'
import { useRefusalText } from './use-refusal-text'
import { adminTexts } from './texts'

const decided = z.object({ action: required(oneOf(decisions)), reason: required(anyText) })

interface ResolveDialogProps {
  deposit: AdminDeposit
  onClose: () => void
}

/** Credits, refunds or rejects a deposit. The user sees the reason. */
export default function ResolveDialog({
  deposit: { depositId, walletAddress, amountCents, arrivedCents = 0, state },
  onClose,
}: ResolveDialogProps) {
  const refusalText = useRefusalText()
  const t = adminTexts.useT().deposits
  const creditable = arrivedCents > 0 && !isDeletedAddress(walletAddress)
  const options = decisionsFor(state).filter((decision) => decision !== 'credit' || creditable)
  const form = useForm({
    schema: decided,
    defaultValues: { action: options.length === 1 ? options[0]! : '', reason: '' },
    fieldErrorText: (problem, field) =>
      problem !== 'required' ? problem : field === 'action' ? t.actionRequired : t.required,
  })
  const resolve = useResolveDeposit({
    onDone: () => {
      toast({ title: t.resolved })
      onClose()
    },
    onFailed: (error) => {
      if (!form.showServerErrors(error))
        toast({ title: t.error, description: refusalText(error), variant: 'destructive' })
    },
  })
  return (
    <FormDialog
      title={t.resolveOf(dollars(amountCents))}
      text={t.resolveText}
      confirm={t.confirm}
      form={form}
      pending={resolve.isPending}
      onSubmit={(decision) => resolve.mutate({ id: depositId, ...decision })}
      onClose={onClose}
    >
      <Field form={form} name="action" label={t.action} className="col-span-2">
        {(control) => (
          <Select {...control} className="w-full">
            {options.length > 1 && <option value="">{t.chooseAction}</option>}
            {options.map((decision) => (
              <option key={decision} value={decision}>
                {decision === 'credit' ? t.creditOf(dollars(Math.min(amountCents, arrivedCents))) : t.actions[decision]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field form={form} name="reason" label={t.reason} hint={t.reasonHint} className="col-span-2">
        {(control) => <Input {...control} autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}
