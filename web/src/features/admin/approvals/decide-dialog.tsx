import { useInfiniteQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { usersQuery } from '@/api/admin-users'
import { useDecide } from '@/api/approvals'
import { useLanguage } from '@/i18n'
import type { AdminUser, Approval } from '@/contract/types'
import { points, shortAddress } from '@/lib/format'
import { toast } from '@/lib/toast'
import { anyText, required } from '@/lib/field-parsers'
import { Facts } from '@/components/ui/facts'
import { Field } from '@/components/ui/form/field'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { FormDialog } from '../form-dialog'
import { useRefusalText } from '../use-refusal-text'
import { Subject, userOf } from '../subject'
import { adminTexts } from '../texts'
import { UserBadges } from '../user-badges'
import { UserLink } from '../user-link'
import { amountText, centsOf } from './payload'

const decided = z.object({ reason: required(anyText) })

export interface Deciding {
  approval: Approval
  decision: 'approve' | 'refuse'
}

/** Approves or declines a request, with a reason. */
export default function DecideDialog({ approval, decision, onClose }: Deciding & { onClose: () => void }) {
  const { approvals: t, users } = adminTexts.useT()
  const refusalText = useRefusalText()
  const language = useLanguage()
  const form = useForm({
    schema: decided,
    defaultValues: { reason: '' },
    fieldErrorText: (problem) => (problem === 'required' ? t.required : problem),
  })
  const decide = useDecide({
    onDone: ({ debit }) => {
      toast({
        title: debit ? users.taken(points(debit.takenCents), debit.missingCents, points(debit.missingCents)) : t.done,
      })
      onClose()
    },
    onFailed: (error) => {
      if (!form.showServerErrors(error))
        toast({ title: t.error, description: refusalText(error), variant: 'destructive' })
    },
  })
  const kind = t.kinds[approval.kind]
  const amount = amountText(approval, t, language)
  const what = amount === undefined ? kind : t.withAmount(kind, amount)
  const { id, walletAddress } = userOf(approval.subject) ?? {}
  const search = id ?? walletAddress
  // The user's page would record each request in the admin log.
  const { data: [user] = [] } = useInfiniteQuery({
    ...usersQuery({ search }),
    enabled: search !== undefined,
    staleTime: 0,
  })
  const debited = approval.kind === 'debit' && decision === 'approve' ? centsOf(approval) : undefined
  return (
    <FormDialog
      title={t[`${decision}Of`](what)}
      text={
        debited === undefined
          ? t[`${decision}Text`]
          : t.approveDebitText(points(debited), user ? points(user.balanceCents) : undefined)
      }
      confirm={t[decision]}
      destructive={decision === 'refuse'}
      form={form}
      pending={decide.isPending}
      onSubmit={({ reason }) => decide.mutate({ id: approval.id, decision, reason })}
      onClose={onClose}
    >
      <div className="col-span-2 space-y-2 rounded-xl border bg-background p-4">
        {user ? <SubjectUser user={user} /> : <Subject of={approval.subject} className="block" />}
        <Facts
          facts={[
            { label: t.askedBy, value: <span title={approval.askedBy}>{shortAddress(approval.askedBy, 6, 4)}</span> },
            ...(approval.reason ? [{ label: t.givenReason, value: approval.reason, className: 'font-normal' }] : []),
          ]}
        />
      </div>
      <Field form={form} name="reason" label={t.reason} hint={t.reasonHint} className="col-span-2">
        {(control) => <Input {...control} autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}

/** The user that a request is about: name, wallet and state. */
function SubjectUser({ user }: { user: AdminUser }) {
  const t = adminTexts.useT().users
  const { id, walletAddress, firstName } = user
  return (
    <div className="text-sm">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <UserLink id={id} walletAddress={walletAddress} name={firstName || t.noName} />
        <UserBadges user={user} />
      </p>
      <p className="mt-1 font-mono text-xs break-all text-muted-foreground">{walletAddress}</p>
    </div>
  )
}
