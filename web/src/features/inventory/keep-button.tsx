import { useSendToVault } from '@/api/vault'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { VaultIcon } from '@/components/ui/card-icons'
import { Spinner } from '@/components/ui/spinner'
import { VaultedMark } from './vaulted-mark'
import { inventoryTexts } from './texts'

interface KeepButtonProps {
  inventoryId: string
  name: string
}

/** Sends an entry to the vault. */
export function KeepButton({ inventoryId, name }: KeepButtonProps) {
  const t = inventoryTexts.useT().cards
  const { walletMismatch } = useSession()
  const sending = useSendToVault({
    onDone: ({ itemName }) => toast({ title: t.kept, description: t.keptText(itemName) }),
    onFailed: () => toast({ title: t.keepFailed, description: t.keepFailedText, variant: 'destructive' }),
  })
  if (sending.isSuccess) return <VaultedMark />
  return (
    <Button
      variant="secondary"
      size="sm"
      aria-label={t.keepItem(name)}
      disabled={walletMismatch || sending.isPending}
      onClick={() => sending.mutate({ inventoryId })}
      className="w-full"
    >
      {sending.isPending ? <Spinner /> : <VaultIcon aria-hidden />}
      <span>{t.keep}</span>
    </Button>
  )
}
