import { useInfiniteQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { usersQuery } from '@/api/admin-users'
import { useDecide } from '@/api/approvals'
import { useLanguage, useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import type { Approval } from '@/contract/types'
import { shortAddress } from '@/lib/format'
import { toast } from '@/lib/toast'
import { anyText, required } from '@/lib/field-parsers'
import { Facts } from '@/components/ui/facts'
import { Field } from '@/components/ui/form/field'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { FormDialog } from '../form-dialog'
import { Subject, userOf } from '../subject'
import { adminTexts } from '../texts'
import { displayName } from '../use-user-act-handlers'
import { amountText } from './payload'

const decided = z.object({ reason: required(anyText) })

export interface Deciding {
  approval: Approval
  decision: 'approve' | 'refuse'
}

/** Who requests what for whom, and why. */
function Request({ of: { subject, askedBy, reason } }: { of: Approval }) {
  const t = adminTexts.useT().approvals
  const { subjects } = adminTexts.useT().admin
  const user = userOf(subject)
  const users = useInfiniteQuery({ ...usersQuery({ search: user?.id }), enabled: user?.id !== undefined })
  const row = users.data?.find(({ id }) => id === user?.id)
  const name = row ? displayName(row) : user?.walletAddress && shortAddress(user.walletAddress, 6, 4)
  return (
    <div className="col-span-2 space-y-2 rounded-xl border bg-background p-4">
      <Facts
        facts={[
          { label: t.askedBy, value: <span title={askedBy}>{shortAddress(askedBy, 6, 4)}</span> },
          ...(name ? [{ label: subjects.user, value: name }] : []),
          ...(reason ? [{ label: t.givenReason, value: reason, className: 'font-normal' }] : []),
        ]}
      />
      <Subject of={subject} className="block" />
    </div>
  )
}

/** Approves or declines a request, with a reason. */
export default function DecideDialog({ approval, decision, onClose }: Deciding & { onClose: () => void }) {
  const texts = useT()
  const t = adminTexts.useT().approvals
  const language = useLanguage()
  const form = useForm({
    schema: decided,
    defaultValues: { reason: '' },
    fieldErrorText: (problem) => (problem === 'required' ? t.required : problem),
  })
  const decide = useDecide({
    onDone: () => {
      toast({ title: t.done })
      onClose()
    },
    onFailed: (error) => {
      if (!form.showServerErrors(error))
        toast({ title: t.error, description: errorText(error, texts), variant: 'destructive' })
    },
  })
  const kind = t.kinds[approval.kind]
  const amount = amountText(approval, t, language)
  const what = amount === undefined ? kind : t.withAmount(kind, amount)
  return (
    <FormDialog
      title={t[`${decision}Of`](what)}
      text={t[`${decision}Text`]}
      confirm={t[decision]}
      destructive={decision === 'refuse'}
      form={form}
      pending={decide.isPending}
      onSubmit={({ reason }) => decide.mutate({ id: approval.id, decision, reason })}
      onClose={onClose}
    >
      <Request of={approval} />
      <Field form={form} name="reason" label={t.reason} hint={t.reasonHint} className="col-span-2">
        {(control) => <Input {...control} autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}
