import { LockKeyhole, Wallet } from 'lucide-react'
import type { ReactNode } from 'react'
import { useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { config } from '@/lib/config'
import { shortAddress } from '@/lib/format'
import { useSession } from '@/lib/session'
import { Button } from './button'
import { EmptyState } from './empty-state'

interface WalletGateProps {
  /** What the user gets by signing in. */
  title: string
  button: string
  /** Dimmed and inert until a wallet is connected. */
  children: ReactNode
}

export function WalletGate({ title, button, children }: WalletGateProps) {
  const { identity } = useT()
  const { status, address, walletMismatch, connect } = useSession()
  // Without a session cookie the user is most likely signed out: render that while loading, to avoid a layout shift.
  if (status === 'signed-in' || (status === 'loading' && config.session)) {
    return (
      <>
        {walletMismatch && <OtherAccount address={address ?? ''} connect={connect} />}
        {/* Stays mounted: one of its dialogs may be open when the wallet switches accounts. */}
        <div hidden={walletMismatch}>{children}</div>
      </>
    )
  }
  const signedOut = status === 'signed-out'
  return (
    <div className="relative">
      {/* No animations: each frame would be blurred again. */}
      <div
        inert
        className={cn('max-h-[40rem] overflow-hidden [&_*]:animate-none!', signedOut && 'opacity-30 blur-[2px]')}
      >
        {children}
      </div>
      {signedOut && (
        <div className="absolute inset-0 flex items-start justify-center pt-16">
          <EmptyState
            icon={<LockKeyhole />}
            title={title}
            text={identity.connectText}
            action={
              <Button onClick={connect}>
                <Wallet aria-hidden />
                <span>{button}</span>
              </Button>
            }
            className="panel w-full max-w-[28rem] rounded-3xl py-12 shadow-float"
          />
        </div>
      )}
    </div>
  )
}

/** Shown while the wallet has another account; no data is loaded then. */
function OtherAccount({ address, connect }: { address: string; connect: () => void }) {
  const { identity, shell } = useT()
  return (
    <EmptyState
      icon={<LockKeyhole />}
      title={identity.switchedTitle}
      text={identity.switchedText(shortAddress(address, 6, 4))}
      action={
        <Button onClick={connect}>
          <Wallet aria-hidden />
          <span>{shell.user.signIn}</span>
        </Button>
      }
      className="panel rounded-2xl"
    />
  )
}
