import { Wallet } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useT } from '@/i18n'
import { useSession } from '@/lib/session'
import { Button } from './button'

/** Lets a visitor connect a wallet; who is signed in reads that, and needs no button any more. */
export function ConnectButton(props: Pick<ComponentProps<typeof Button>, 'size' | 'variant' | 'className'>) {
  const t = useT().shell.user
  const { status, connect } = useSession()
  return (
    <Button variant="secondary" disabled={status !== 'signed-out'} onClick={connect} {...props}>
      <Wallet aria-hidden />
      <span>{status === 'signed-in' ? t.connected : t.connectWallet}</span>
    </Button>
  )
}
