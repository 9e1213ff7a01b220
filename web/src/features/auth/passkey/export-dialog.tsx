import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Spinner } from '@/components/ui/spinner'
import { SignInError } from '../sign-in-error'
import { passkeyTexts } from '../texts'
import { passkeyId, walletError } from '../wallets/wallet'
import { dismissExportHint } from './export-memory'
import { abortPrompt } from './prompt'
import { exportWallet } from './wallet'
import { Warning } from './warning'

interface ExportDialogProps {
  address: string
  onClose: () => void
}

/** Shows the secret key of a passkey wallet after another touch. Only this dialog has the text, until it closes. */
export default function ExportDialog({ address, onClose }: ExportDialogProps) {
  const t = passkeyTexts.useT()
  const [secretKey, setSecretKey] = useState<string>()
  const [waiting, setWaiting] = useState(false)
  const [error, setError] = useState<unknown>(null)

  // A prompt that is still open would derive the key for nobody.
  useEffect(() => abortPrompt, [])
  useEffect(() => {
    if (secretKey) dismissExportHint(address)
  }, [secretKey, address])

  function verify() {
    if (waiting) return
    setWaiting(true)
    setError(null)
    exportWallet(address)
      .then(setSecretKey)
      .catch(setError)
      .finally(() => setWaiting(false))
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-lg">
        <DialogHeader title={t.export.title} text={t.export.text} />
        <Warning>{t.export.warning}</Warning>
        {secretKey && (
          <div className="mt-4">
            <p className="mb-1.5 text-sm font-medium">{t.export.secretKey}</p>
            <div className="flex items-start gap-2 rounded-xl bg-muted px-4 py-3">
              <code translate="no" className="min-w-0 grow font-mono text-xs break-all">
                {secretKey}
              </code>
              <CopyButton text={secretKey} words={t.export} label={t.export.secretKey} />
            </div>
          </div>
        )}
        {error !== null && <SignInError error={walletError(error)} walletId={passkeyId} className="mt-4" />}
        <div className="mt-5 flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            {secretKey ? t.export.done : t.cancel}
          </Button>
          {!secretKey && (
            <Button aria-disabled={waiting} onClick={verify}>
              {waiting && <Spinner />}
              <span>{waiting ? t.waiting : t.export.confirm}</span>
            </Button>
          )}
        </div>
      </DialogContent>
    </Dialog>
  )
}
