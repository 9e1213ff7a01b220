import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useSaveProfile } from '@/api/profile'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { authTexts } from './texts'
import type { User } from '@/contract/types'
import { config, terms } from '@/lib/config'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Field } from '@/components/ui/form/field'
import { Form, SubmitButton } from '@/components/ui/form/form'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { Switch } from '@/components/ui/switch'
import { profileSchema } from './profile'

interface ProfileDialogProps {
  user: Pick<User, 'firstName' | 'profileImageUrl' | 'profileLockReason' | 'acceptsGifts'>
  onClose: () => void
}

export default function ProfileDialog({ user, onClose }: ProfileDialogProps) {
  const texts = useT()
  const t = authTexts.useT()
  const problems: Readonly<Record<string, string>> = {
    long: t.problems.long(terms.longestUserName),
    hidden: t.problems.hidden,
    address: t.problems.address(terms.longestPortrait),
  }
  const form = useForm({
    schema: profileSchema,
    defaultValues: { firstName: user.firstName, profileImageUrl: user.profileImageUrl },
    fieldErrorText: (problem, field) => problems[problem] ?? t.refused[field],
    live: true,
  })
  const locked = Boolean(user.profileLockReason)
  const [acceptsGifts, setAcceptsGifts] = useState(user.acceptsGifts)
  const giftsChange = acceptsGifts === user.acceptsGifts ? {} : { acceptsGifts }
  const values = useWatch({ control: form.control })
  const saving = useSaveProfile({
    onSuccess() {
      toast({ title: t.saved })
      onClose()
    },
    onError(error) {
      if (!form.showServerErrors(error))
        toast({ title: t.failed, description: errorText(error, texts), variant: 'destructive' })
    },
  })

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={t.title} text={t.text} />
        <Form
          form={form}
          pending={saving.isPending}
          onSubmit={(profile) => saving.mutate({ ...(!locked && profile), ...giftsChange })}
          className="space-y-4"
          actions={
            <div className="mt-4 flex justify-end gap-3">
              <Button variant="secondary" onClick={onClose}>
                {t.cancel}
              </Button>
              <SubmitButton
                pending={saving.isPending}
                disabled={locked ? acceptsGifts === user.acceptsGifts : !profileSchema.safeParse(values).success}
              >
                {saving.isPending ? t.saving : t.save}
              </SubmitButton>
            </div>
          }
        >
          <Field form={form} name="firstName" label={t.name} hint={t.nameHint(terms.longestUserName)}>
            {(control) => <Input {...control} autoComplete="nickname" placeholder={t.namePlaceholder} />}
          </Field>
          <Field form={form} name="profileImageUrl" label={t.picture} hint={t.pictureHint}>
            {(control) => (
              <Input {...control} type="url" inputMode="url" autoComplete="off" placeholder={t.picturePlaceholder} />
            )}
          </Field>
          {config.rules.market && (
            <Switch label={t.gifts} hint={t.giftsHint} checked={acceptsGifts} onChange={setAcceptsGifts} />
          )}
          {locked ? (
            <Notice title={t.lockedTitle} text={t.locked(user.profileLockReason ?? '')} />
          ) : (
            <Notice title={t.tracedTitle} text={t.traced} />
          )}
        </Form>
      </DialogContent>
    </Dialog>
  )
}

function Notice({ title, text }: { title: string; text: string }) {
  return (
    <div className="flex gap-3 rounded-xl border border-line bg-muted p-4 text-sm">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning-foreground" />
      <div>
        <p className="font-medium">{title}</p>
        <p className="mt-1 text-muted-foreground">{text}</p>
      </div>
    </div>
  )
}
