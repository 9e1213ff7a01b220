import * as z from 'zod/mini'
import { useEndSessions, useSetRole } from '@/api/admin-users'
import type { AdminUser } from '@/contract/types'
import { anyText, required } from '@/lib/field-parsers'
import { Field } from '@/components/ui/form/field'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { FormDialog } from './form-dialog'
import { adminTexts } from './texts'
import { displayName, useUserActHandlers } from './use-user-act-handlers'

/** Acts on a user that only need a reason. */
export type UserAct = 'promote' | 'demote' | 'signOut'

const reasoned = z.object({ reason: required(anyText) })

interface UserDialogProps {
  act: UserAct
  user: AdminUser
  onClose: () => void
}

/** Changes a user's role or ends their sessions. */
export default function UserDialog({ act, user, onClose }: UserDialogProps) {
  const t = adminTexts.useT().users
  const adminT = adminTexts.useT().admin
  const form = useForm({ schema: reasoned, defaultValues: { reason: '' }, fieldErrorText: () => t.required })
  const handlers = useUserActHandlers(form.showServerErrors, onClose)
  const setRole = useSetRole({
    ...handlers,
    onDone: ({ approval }) => handlers.onDone(approval && adminT.waitsForSecond),
  })
  const endSessions = useEndSessions(handlers)
  return (
    <FormDialog
      title={t[`${act}Of`](displayName(user))}
      text={t[`${act}Text`]}
      confirm={t[act]}
      form={form}
      pending={setRole.isPending || endSessions.isPending}
      onSubmit={({ reason }) =>
        act === 'signOut'
          ? endSessions.mutate({ id: user.id, reason })
          : setRole.mutate({ id: user.id, reason, role: act === 'promote' ? 'admin' : 'user' })
      }
      onClose={onClose}
    >
      <Field form={form} name="reason" label={t.reason} hint={t.reasonHint} className="col-span-2">
        {(control) => <Input {...control} autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}
