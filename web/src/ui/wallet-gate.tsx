import { LockKeyhole, Wallet } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '@/lib/session'
import { Button } from './button'
import { EmptyState } from './empty-state'

interface WalletGateProps {
  title: string
  text: string
  button: string
  /** Dimmed and out of reach until a wallet is connected. */
  children: ReactNode
}

export function WalletGate({ title, text, button, children }: WalletGateProps) {
  const { status, connect } = useSession()
  if (status !== 'signed-out') return children
  return (
    <div className="relative">
      <div inert className="max-h-[40rem] overflow-hidden opacity-30 blur-[2px]">
        {children}
      </div>
      <div className="absolute inset-0 grid place-items-start justify-center pt-16">
        <EmptyState
          icon={<LockKeyhole />}
          title={title}
          text={text}
          action={
            <Button onClick={connect}>
              <Wallet aria-hidden />
              {button}
            </Button>
          }
          className="panel w-[28rem] rounded-3xl py-12 shadow-float"
        />
      </div>
    </div>
  )
}
