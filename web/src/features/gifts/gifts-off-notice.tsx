import { useSaveProfile } from '@/api/profile'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { giftsTexts } from './texts'

/** Reminds users who have turned gifts off, and lets them turn gifts on. */
export function GiftsOffNotice() {
  const texts = useT()
  const t = giftsTexts.useT().gifts
  const { user, walletMismatch } = useSession()
  const saving = useSaveProfile({
    onSuccess: () => toast({ title: t.turnedOn }),
    onError: (error) => toast({ title: t.turnOnFailed, description: errorText(error, texts), variant: 'destructive' }),
  })
  if (!user || user.acceptsGifts) return null
  return (
    <div className="panel flex flex-wrap items-center justify-between gap-3 rounded-2xl p-5">
      <p className="max-w-prose text-sm">{t.off}</p>
      <Button
        variant="secondary"
        size="sm"
        disabled={walletMismatch}
        aria-disabled={saving.isPending}
        onClick={() => !saving.isPending && saving.mutate({ acceptsGifts: true })}
      >
        {saving.isPending && <Spinner />}
        <span>{t.turnOn}</span>
      </Button>
    </div>
  )
}
