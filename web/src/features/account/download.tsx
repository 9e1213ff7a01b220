import { useState } from 'react'
import { requestAccountChallenge, useExportData } from '@/api/account'
import { ApiError } from '@/contract/error'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { accountTexts } from './texts'

/** Downloads an archive of the visitor's data after a signature. */
export function DownloadData() {
  const texts = useT()
  const t = accountTexts.useT().data
  const { frozen, sign } = useSession()
  const [signing, setSigning] = useState(false)
  const fail = (error: unknown) =>
    toast({
      title: t.failed,
      description: error instanceof ApiError ? errorText(error, texts) : t.signFailed,
      variant: 'destructive',
    })
  const exporting = useExportData({
    onSuccess: (address) => {
      download(address)
      toast({ title: t.started })
    },
    onError: fail,
  })

  function start() {
    setSigning(true)
    requestAccountChallenge('export')
      .then(({ message }) => sign(message))
      .then((signature) => exporting.mutate(signature))
      .catch(fail)
      .finally(() => setSigning(false))
  }

  const pending = signing || exporting.isPending
  return (
    <section className="panel mb-6 rounded-2xl px-6 py-5">
      <h2 className="text-lg font-semibold">{t.heading}</h2>
      <p className="mt-1 max-w-prose text-sm text-muted-foreground">{t.text}</p>
      <p className="mt-2 mb-4 max-w-prose text-sm text-muted-foreground">{t.signature}</p>
      <Button disabled={frozen || pending} onClick={start}>
        {pending && <Spinner />}
        <span>{signing ? t.signing : t.button}</span>
      </Button>
    </section>
  )
}

/** Downloads a file without leaving the page. */
function download(address: string) {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
