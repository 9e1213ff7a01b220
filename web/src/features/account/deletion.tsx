import { useState } from 'react'
import { useDeleteAccount } from '@/api/account'
import type { AccountData } from '@/contract/types'
import { useLanguage } from '@/i18n'
import { dateTime } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Spinner } from '@/components/ui/spinner'
import { CancelDeletion } from './cancel-deletion'
import { accountTexts } from './texts'
import { useSignature } from './use-signature'

/** The deletion of the account: its request, or its state. */
export function Deletion({ data }: { data: AccountData }) {
  const t = accountTexts.useT().deletion
  const language = useLanguage()
  const { walletMismatch } = useSession()
  const [confirming, setConfirming] = useState(false)
  const { deletion, obstacle, waitDays } = data
  return (
    <section className="panel mb-6 rounded-2xl px-6 py-5">
      <h2 className="text-lg font-semibold">{t.heading}</h2>
      {deletion ? (
        <>
          <p className="mt-1 mb-4 max-w-prose text-sm">{t.pending(dateTime(deletion.dueAt, language))}</p>
          {deletion.waitsFor && <p className="mb-4 max-w-prose text-sm">{t.waitingFor[deletion.waitsFor]}</p>}
          {!deletion.waitsFor && <CancelDeletion />}
        </>
      ) : (
        <>
          <p className="mt-1 mb-4 max-w-prose text-sm text-muted-foreground">
            {obstacle ? t.obstacles[obstacle] : t.text(waitDays)}
          </p>
          <Button
            variant="destructive"
            disabled={walletMismatch || obstacle !== undefined}
            onClick={() => setConfirming(true)}
          >
            {t.button}
          </Button>
        </>
      )}
      {confirming && <ConfirmDialog data={data} onClose={() => setConfirming(false)} />}
    </section>
  )
}

function ConfirmDialog({ data: { waitDays, retention }, onClose }: { data: AccountData; onClose: () => void }) {
  const t = accountTexts.useT().deletion
  const { waiting } = accountTexts.useT().signature
  const { refresh } = useSession()
  const { signing, signAnd, showFailure } = useSignature('deletion', t.failed)
  const deleting = useDeleteAccount({
    onDone: () => {
      void refresh()
      toast({ title: t.done })
      onClose()
    },
    onFailed: showFailure,
  })

  const pending = signing || deleting.isPending
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={t.confirmTitle} text={t.confirmText(waitDays)} />
        <h3 className="text-sm font-semibold">{t.now}</h3>
        <p className="mb-3 text-sm text-muted-foreground">{t.nowText}</p>
        <h3 className="text-sm font-semibold">{t.later(waitDays)}</h3>
        <ul className="list-disc space-y-1.5 pl-4 text-sm text-muted-foreground">
          <li>{t.pointsText}</li>
          <li>{t.erased}</li>
          <li>{t.stays}</li>
          <li>{t.limits}</li>
          <li>{t.backups(retention.backupDays)}</li>
        </ul>
        <div className="mt-4 flex justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            {t.keep}
          </Button>
          <Button
            variant="destructive"
            disabled={deleting.isPending}
            aria-disabled={pending}
            onClick={() => signAnd(deleting.mutate)}
          >
            {pending && <Spinner />}
            <span>{signing ? waiting : t.confirm}</span>
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
