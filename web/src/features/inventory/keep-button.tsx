import { useSendToVault } from '@/api/vault'
import { inventoryTexts } from './texts'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { VaultIcon } from '@/components/ui/card-icons'
import { Spinner } from '@/components/ui/spinner'

interface KeepButtonProps {
  inventoryId: string
  name: string
}

/** Replaces the button once the entry is in the vault. */
export function VaultedMark() {
  const t = inventoryTexts.useT().cards
  return (
    <p className="flex h-8 items-center justify-center gap-2 text-[0.8125rem] font-medium text-positive-text">
      <VaultIcon aria-hidden className="size-4" />
      <span>{t.vaulted}</span>
    </p>
  )
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
