import { Wallet } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useT } from '@/i18n'
import { useSession } from '@/lib/session'
import { Button } from './button'

/** Connects a wallet; shows a text instead once the user is signed in. */
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
