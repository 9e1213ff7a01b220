import { useNavigate } from '@tanstack/react-router'
import { Truck } from 'lucide-react'
import { useSendToVault } from '@/api/vault'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { redemptionsTexts } from './texts'

interface ClaimButtonProps {
  inventoryId: string
  name: string
  /** An entry outside the vault is moved there first. */
  vaulted: boolean
}

/** Starts the shipment of an entry; an entry outside the vault is sent there first. */
export function ClaimButton({ inventoryId, name, vaulted }: ClaimButtonProps) {
  const texts = useT()
  const t = redemptionsTexts.useT().flow
  const { walletMismatch } = useSession()
  const navigate = useNavigate()
  const openFlow = () => void navigate({ to: '/claim', search: { items: [inventoryId] } })
  const sending = useSendToVault({
    onDone: openFlow,
    onFailed: (error) =>
      toast({ title: t.toVaultFailed, description: errorText(error, texts), variant: 'destructive' }),
  })
  return (
    <Button
      variant="secondary"
      size="sm"
      aria-label={t.buttonOf(name)}
      disabled={walletMismatch || sending.isPending}
      onClick={() => (vaulted ? openFlow() : sending.mutate({ inventoryId }))}
      className="w-full"
    >
      {sending.isPending ? <Spinner /> : <Truck aria-hidden />}
      {t.button}
    </Button>
  )
}
