import * as z from 'zod/mini'
import { type ClaimStep, useStepClaims } from '@/api/admin-redemptions'
import { useClaimTerms } from '@/api/redemptions'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import type { QueuedClaim } from '@/contract/types'
import { toast } from '@/lib/toast'
import { anyText, optional, required } from '@/lib/field-parsers'
import { Field } from '@/components/ui/form/field'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { FormDialog } from '../form-dialog'
import { adminTexts } from '../texts'
import { type ClaimAct, claimSummary, needsReason } from './claim-acts'

interface StepDialogProps {
  act: ClaimAct
  claims: readonly QueuedClaim[]
  onDone: () => void
  onClose: () => void
}

type Said = Record<string, string | undefined>

/** Moves claims to their next state: with a carrier and tracking numbers, or a reason. */
export default function StepDialog({ act, claims, onDone, onClose }: StepDialogProps) {
  const texts = useT()
  const t = adminTexts.useT().claims
  const carriers = useClaimTerms().data?.carriers ?? []
  const names = act === 'ship' ? ['carrier', ...claims.map(({ id }) => id)] : ['reason']
  const reader = act === 'ship' || needsReason(act) ? required(anyText) : optional(anyText)
  const form = useForm<Record<string, string>, Said>({
    schema: z.object(Object.fromEntries(names.map((name) => [name, reader]))),
    defaultValues: Object.fromEntries(names.map((name) => [name, ''])),
    fieldErrorText: (problem) => (problem === 'required' ? t.required : t.wrong),
  })
  const stepping = useStepClaims({
    onDone: ({ approvals }) => {
      toast({ title: t.done, ...(approvals.length > 0 && { description: t.approvalsPending(approvals.length) }) })
      onDone()
      onClose()
    },
    onFailed: (error) => toast({ title: t.error, description: errorText(error, texts), variant: 'destructive' }),
  })
  const bodyOf = ({ carrier = '', reason = '', ...tracking }: Said): ClaimStep => ({
    act,
    claims: claims.map(({ id }) => (act === 'ship' ? { id, carrier, tracking: tracking[id] ?? '' } : { id })),
    ...(reason && { reason }),
  })
  return (
    <FormDialog
      title={t.titles[act](claims.length)}
      text={t.explain[act]}
      confirm={act === 'cancel' ? t.confirmCancel(claims.length) : t.titles[act](claims.length)}
      cancel={act === 'cancel' ? t.keep(claims.length) : undefined}
      destructive={act === 'cancel' || act === 'lose'}
      form={form}
      pending={stepping.isPending}
      onSubmit={(said) => stepping.mutate(bodyOf(said))}
      onClose={onClose}
    >
      {act === 'ship' ? (
        <>
          <Field form={form} name="carrier" label={t.carrier} className="col-span-2">
            {(control) => (
              <Select {...control} className="w-full">
                <option value="" />
                {carriers.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {claims.map((claim) => (
            <Field
              key={claim.id}
              form={form}
              name={claim.id}
              label={t.tracking(claimSummary(claim))}
              className="col-span-2"
            >
              {(control) => <Input {...control} autoComplete="off" maxLength={64} />}
            </Field>
          ))}
        </>
      ) : (
        <Field form={form} name="reason" label={t.reason} hint={t.reasonHint} className="col-span-2">
          {(control) => <Input {...control} autoComplete="off" maxLength={500} />}
        </Field>
      )}
    </FormDialog>
  )
}
