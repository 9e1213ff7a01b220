import { TriangleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useSaveProfile } from '@/api/profile'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { profileTexts } from './texts/profile'
import { ApiError } from '@/lib/contract/error'
import type { User } from '@/lib/contract/types'
import { terms } from '@/lib/config'
import { toast } from '@/lib/toast'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/ui/dialog'
import { Spinner } from '@/ui/spinner'
import { addressProblem, nameProblem } from './profile'
import { ProfileField } from './profile-field'

interface ProfileDialogProps {
  user: Pick<User, 'firstName' | 'profileImageUrl'>
  onClose: () => void
}

/** The visitor's name and picture, as others see them. */
export default function ProfileDialog({ user, onClose }: ProfileDialogProps) {
  const texts = useT()
  const t = profileTexts.useT()
  const [name, setName] = useState(user.firstName)
  const [address, setAddress] = useState(user.profileImageUrl)
  const [refused, setRefused] = useState<ApiError['fields']>({})
  const saving = useSaveProfile({
    onSuccess() {
      toast({ title: t.saved })
      onClose()
    },
    onError(error) {
      if (error instanceof ApiError && Object.keys(error.fields).length > 0) setRefused(error.fields)
      else toast({ title: t.failed, description: errorText(error, texts), variant: 'destructive' })
    },
  })
  /** What was refused is not what is typed now. */
  const typed = (set: (text: string) => void) => (text: string) => {
    setRefused({})
    set(text)
  }
  const wrong = { name: nameProblem(name), address: addressProblem(address) }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (saving.isPending || wrong.name || wrong.address) return
    saving.mutate({ firstName: name.trim() || null, profileImageUrl: address.trim() || null })
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={t.title} text={t.text} />
        <form noValidate onSubmit={submit} className="space-y-4">
          <ProfileField
            label={t.name}
            hint={t.nameHint(terms.longestUserName)}
            problem={wrong.name ? t.problems[wrong.name](terms.longestUserName) : refused['firstName'] && t.nameRefused}
            autoComplete="nickname"
            placeholder={t.namePlaceholder}
            value={name}
            onText={typed(setName)}
          />
          <ProfileField
            label={t.picture}
            hint={t.pictureHint}
            problem={
              wrong.address
                ? t.problems[wrong.address](terms.longestPortrait)
                : refused['profileImageUrl'] && t.pictureRefused
            }
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder={t.picturePlaceholder}
            value={address}
            onText={typed(setAddress)}
          />
          <Traced />
          <div className="flex justify-end gap-3">
            <Button variant="secondary" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button
              type="submit"
              disabled={saving.isPending || wrong.name !== undefined || wrong.address !== undefined}
            >
              {saving.isPending && <Spinner />}
              {saving.isPending ? t.saving : t.save}
            </Button>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  )
}

/** What a name gives away. */
function Traced() {
  const t = profileTexts.useT()
  return (
    <div className="flex gap-3 rounded-xl border border-line bg-muted p-4 text-sm">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning-foreground" />
      <div>
        <p className="font-medium">{t.tracedTitle}</p>
        <p className="mt-1 text-muted-foreground">{t.traced}</p>
      </div>
    </div>
  )
}
