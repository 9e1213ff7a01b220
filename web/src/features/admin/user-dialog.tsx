import * as z from 'zod/mini'
import { useFreeze, useModerateProfile } from '@/api/admin-moderation'
import { useEndSessions, useSetRole } from '@/api/admin-users'
import type { AdminUser } from '@/contract/types'
import { anyText, required } from '@/lib/field-parsers'
import { Field } from '@/components/ui/form/field'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { displayName } from './display-name'
import { FormDialog } from './form-dialog'
import { adminTexts } from './texts'
import { useUserActHandlers } from './use-user-act-handlers'

/** Acts on a user that only need a reason. */
export type UserAct =
  | 'promote'
  | 'demote'
  | 'signOut'
  | 'freeze'
  | 'unfreeze'
  | 'resetProfile'
  | 'hideProfile'
  | 'unlockProfile'
  | 'removeHandle'
  | 'hidePages'
  | 'showPages'

/** Acts whose reason the user sees. */
const shownReasons: readonly UserAct[] = ['freeze', 'hideProfile']

const destructiveActs: readonly UserAct[] = [
  'signOut',
  'freeze',
  'resetProfile',
  'hideProfile',
  'removeHandle',
  'hidePages',
]

const profileEdits = {
  resetProfile: { removeName: true, removePicture: true, lock: false },
  hideProfile: { removeName: true, removePicture: true, lock: true },
  unlockProfile: { lock: false },
  removeHandle: { removeHandle: true },
  hidePages: { pagesHidden: true },
  showPages: { pagesHidden: false },
}

const reasoned = z.object({ reason: required(anyText) })

interface UserDialogProps {
  act: UserAct
  user: AdminUser
  onClose: () => void
}

/** Changes a user's role, ends their sessions, freezes the account, or changes what others see of the user. */
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
  const freeze = useFreeze({
    ...handlers,
    onDone: ({ approval }) => handlers.onDone(approval && adminT.waitsForSecond),
  })
  const moderateProfile = useModerateProfile(handlers)
  const submit = (reason: string) => {
    const given = { id: user.id, reason }
    switch (act) {
      case 'promote':
      case 'demote':
        return setRole.mutate({ ...given, role: act === 'promote' ? 'admin' : 'user' })
      case 'signOut':
        return endSessions.mutate(given)
      case 'freeze':
      case 'unfreeze':
        return freeze.mutate({ ...given, freeze: act === 'freeze' })
      default:
        return moderateProfile.mutate({ ...given, ...profileEdits[act] })
    }
  }
  return (
    <FormDialog
      title={t[`${act}Of`](displayName(user))}
      text={t[`${act}Text`]}
      confirm={t[act]}
      destructive={destructiveActs.includes(act)}
      form={form}
      pending={[setRole, endSessions, freeze, moderateProfile].some(({ isPending }) => isPending)}
      onSubmit={({ reason }) => submit(reason)}
      onClose={onClose}
    >
      <Field
        form={form}
        name="reason"
        label={t.reason}
        hint={shownReasons.includes(act) ? t.shownReasonHint : t.reasonHint}
        className="col-span-2"
      >
        {(control) => <Input {...control} autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}
