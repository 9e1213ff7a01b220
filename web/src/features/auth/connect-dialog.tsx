import { ExternalLink, RotateCw } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useT } from '@/i18n'
import { savedAge } from '@/lib/age'
import { config } from '@/lib/config'
import { shortAddress } from '@/lib/format'
import { useStore } from '@/lib/store'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import { AgeQuestion } from './age-question'
import type { OpenQuestion } from './passkey/question'
import { hasWalletMismatch, type Attempt, type SessionState } from './session-state'
import { WalletList } from './wallet-list'
import type { WalletDirectory } from './wallets/directory'
import { WalletError, phantomId, phantomInstallPage } from './wallets/wallet'
import { SignInError } from './sign-in-error'

const QuestionView = lazy(() => import('./passkey/question-view'))

interface ConnectDialogProps {
  state: SessionState
  /** What the passkey wallet asks; it takes the place of the list. */
  question: OpenQuestion | null
  wallets: WalletDirectory
  onSignIn: (walletId: string) => void
  onClose: () => void
}

export function ConnectDialog({ state, question, wallets, onSignIn, onClose }: ConnectDialogProps) {
  const t = useT()
  const list = useStore(wallets.list)
  const { attempt, dialogOpen, wallet } = state
  const [ageKnown, setAgeKnown] = useState(() => config.rules.minimumAge === 0 || savedAge() !== undefined)
  const switched = hasWalletMismatch(state) && wallet !== null

  return (
    <Dialog open={dialogOpen} onOpenChange={(open) => !open && (question ? question.cancel() : onClose())}>
      <DialogContent className={question ? 'max-w-lg' : undefined}>
        {question ? (
          <Suspense fallback={<DialogHeader title={t.identity.connectTitle} />}>
            <QuestionView key={question.number} openQuestion={question} />
          </Suspense>
        ) : (
          <>
            <DialogHeader
              title={switched ? t.identity.switchedTitle : t.identity.connectTitle}
              text={switched ? t.identity.switchedText(shortAddress(wallet, 6, 4)) : t.identity.connectText}
            />
            {!window.isSecureContext && <Notice>{t.identity.insecure}</Notice>}
            {ageKnown ? (
              <WalletList wallets={list} attempt={attempt} onChoose={onSignIn} />
            ) : (
              <AgeQuestion onAnswer={() => setAgeKnown(true)} />
            )}
            {attempt.stage === 'failed' && <Failure attempt={attempt} onRetry={() => onSignIn(attempt.wallet)} />}
          </>
        )}
      </DialogContent>
    </Dialog>
  )
}

function Failure({ attempt, onRetry }: { attempt: Extract<Attempt, { stage: 'failed' }>; onRetry: () => void }) {
  const t = useT()
  const problem = attempt.error instanceof WalletError ? attempt.error.problem : undefined
  return (
    <div className="mt-4 space-y-3 rounded-xl border border-line bg-muted p-4">
      <SignInError error={attempt.error} walletId={attempt.wallet} />
      {problem !== 'passkey-exists' && (
        <div className="flex gap-2">
          <Button variant="secondary" size="sm" onClick={onRetry}>
            <RotateCw aria-hidden />
            <span>{t.identity.tryAgain}</span>
          </Button>
          {problem === 'not-found' && (
            <Button asChild variant="ghost" size="sm">
              <a href={phantomInstallPage} target="_blank" rel="noreferrer">
                <span>{t.identity.install(phantomId)}</span>
                <ExternalLink aria-hidden />
              </a>
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
