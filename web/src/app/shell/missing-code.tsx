import { CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useT } from '@/i18n'
import { retryMissingCode, useMissingCode } from '@/lib/load-code'
import { Button } from '@/components/ui/button'

function watchConnection(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Says why what was asked for doesn't appear, above dialogs too. The page stays as it is. */
export function MissingCode() {
  const t = useT().shell
  const missing = useMissingCode()
  const online = useSyncExternalStore(
    watchConnection,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-4 z-[100] flex justify-center px-4">
      {missing && (
        <div className="pointer-events-auto flex items-center gap-3 rounded-xl border border-line-strong bg-raised py-2 pr-2 pl-4 text-sm text-raised-foreground shadow-float">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          <span>{online ? t.missingCode.failed : t.missingCode.offline}</span>
          <Button variant="secondary" size="sm" onClick={retryMissingCode}>
            {t.tryAgain}
          </Button>
        </div>
      )}
    </div>
  )
}
