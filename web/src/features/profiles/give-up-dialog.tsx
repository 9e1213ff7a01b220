import { useSaveProfile } from '@/api/profile'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { profilesTexts } from './texts'

interface GiveUpDialogProps {
  handle: string
  onClose: () => void
  onGivenUp: () => void
}

/** Asks before the handle is given up. */
export function GiveUpDialog({ handle, onClose, onGivenUp }: GiveUpDialogProps) {
  const texts = useT()
  const t = profilesTexts.useT().settings
  const saving = useSaveProfile({
    onSuccess() {
      toast({ title: t.givenUp })
      onClose()
      onGivenUp()
    },
    onError: (error) => toast({ title: t.giveUpFailed, description: errorText(error, texts), variant: 'destructive' }),
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={t.giveUpTitle(handle)} text={t.giveUpText} />
        <div className="flex justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            {t.keep}
          </Button>
          <Button variant="destructive" disabled={saving.isPending} onClick={() => saving.mutate({ handle: null })}>
            {saving.isPending ? t.givingUp : t.giveUp}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
