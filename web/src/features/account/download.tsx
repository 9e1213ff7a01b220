import { useExportData } from '@/api/account'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { accountTexts } from './texts'
import { useSignature } from './use-signature'

/** Downloads an archive of the visitor's data after a signature. */
export function DownloadData() {
  const t = accountTexts.useT()
  const { walletMismatch } = useSession()
  const { signing, signAnd, showFailure } = useSignature('export', t.data.failed)
  const exporting = useExportData({
    onSuccess: (address) => {
      download(address)
      toast({ title: t.data.started })
    },
    onError: showFailure,
  })

  const pending = signing || exporting.isPending
  return (
    <section className="panel mb-6 rounded-2xl px-6 py-5">
      <h2 className="text-lg font-semibold">{t.data.heading}</h2>
      <p className="mt-1 max-w-prose text-sm text-muted-foreground">{t.data.text}</p>
      <p className="mt-2 mb-4 max-w-prose text-sm text-muted-foreground">{t.data.signature}</p>
      <Button
        disabled={walletMismatch || exporting.isPending}
        aria-disabled={pending}
        onClick={() => signAnd(exporting.mutate)}
      >
        {pending && <Spinner />}
        <span>{signing ? t.signature.waiting : t.data.button}</span>
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
