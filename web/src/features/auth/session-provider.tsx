import { useQueryClient, type MutationCacheNotifyEvent, type QueryCacheNotifyEvent } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { beginSession, endSession, fetchUser, requestChallenge } from '@/api/session'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { ApiError } from '@/contract/error'
import { config } from '@/lib/config'
import { tabChannel } from '@/lib/tab-channel'
import { SessionContext, type Session } from '@/lib/session'
import { localStore } from '@/lib/storage'
import { useStore } from '@/lib/store'
import { toast } from '@/lib/toast'
import { abortPrompt } from './passkey/prompt'
import { openQuestion } from './passkey/question'
import { createSessionController, type SessionController } from './session-controller'
import { hasWalletMismatch, viewOf } from './session-state'
import { createLazyDirectory } from './wallets/lazy-directory'
import { createWalletMemory } from './wallets/memory'
import { WalletError, phantomInstallPage } from './wallets/wallet'
import { signInErrorText } from './wallet-text'

// Loaded when the dialog first opens: most visits never need it.
const ConnectDialog = lazy(async () => ({ default: (await import('./connect-dialog')).ConnectDialog }))

// Loaded when a passkey wallet first asks something.
const PasskeyDialog = lazy(() => import('./passkey/passkey-dialog'))

/** Provides the session and renders the sign-in dialog. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const t = useT()
  const [wallets] = useState(() =>
    createLazyDirectory({ sandbox: config.sandbox, passkeys: config.passkeyHost !== '' }),
  )
  const [controller] = useState(() =>
    createSessionController({
      wallets,
      server: { user: fetchUser, challenge: requestChallenge, verify: beginSession, logout: endSession },
      memory: createWalletMemory(localStore),
      cookie: config.session,
      tabs: sessionTabs(),
    }),
  )
  useEffect(() => wallets.stop, [wallets])
  useEffect(() => controller.start(), [controller])

  const state = useStore(controller.state)
  const directory = useStore(wallets.loaded)
  const question = useStore(openQuestion)
  const [dialogNeeded, setDialogNeeded] = useState(false)
  if (state.dialogOpen && !dialogNeeded) setDialogNeeded(true)
  const session = useMemo<Session>(() => {
    function connect() {
      controller.openDialog()
      wallets.load().catch((error: unknown) => {
        controller.closeDialog()
        toast({ title: t.identity.connectFailed, description: errorText(error, t), variant: 'destructive' })
      })
    }
    return {
      ...viewOf(state),
      connect,
      logout: () =>
        controller.logout().catch((error: unknown) => {
          toast({ title: t.identity.signOutFailed, description: errorText(error, t), variant: 'destructive' })
        }),
      async sign(message) {
        const before = controller.state.get().user?.id
        // Soon after the page has loaded, the wallet may still be reconnecting.
        await controller.walletChecked()
        const now = controller.state.get()
        // The text belongs to the account that asked for it.
        if (now.user?.id !== before || hasWalletMismatch(now)) throw new WalletError('cancelled')
        if (!now.wallet) connect()
        return controller.sign(message)
      },
      refresh: controller.refresh,
    }
  }, [state, controller, wallets, t])
  useCacheReset(session, controller)

  async function signIn(walletId: string): Promise<void> {
    const error = await controller.signIn(walletId)
    if (!(error instanceof WalletError)) return
    if (error.problem === 'not-found') window.open(phantomInstallPage, '_blank', 'noopener')
    if (error.problem === 'not-ready') window.alert(signInErrorText(error, walletId, t))
  }

  return (
    <SessionContext value={session}>
      {children}
      <Suspense>
        {dialogNeeded && directory && (
          <ConnectDialog
            state={state}
            question={question}
            wallets={directory}
            onSignIn={(id) => void signIn(id)}
            onClose={() => {
              abortPrompt()
              controller.closeDialog()
            }}
          />
        )}
      </Suspense>
      <Suspense>
        {question && !state.dialogOpen && <PasskeyDialog key={question.number} openQuestion={question} />}
      </Suspense>
    </SessionContext>
  )
}

function sessionTabs() {
  const tabs = tabChannel<'changed'>('session')
  return { ...tabs, send: () => tabs.send('changed') }
}

/** Resets the query cache when the account changes, and refreshes the session when the server has ended it. */
function useCacheReset({ user, walletMismatch }: Session, controller: SessionController): void {
  const client = useQueryClient()
  const userId = user?.id ?? null
  const lastUserId = useRef(userId)

  useEffect(() => {
    if (lastUserId.current !== null && lastUserId.current !== userId) void client.resetQueries()
    lastUserId.current = userId
  }, [client, userId])

  // The page shows the new account's address, so nothing of the old account may stay.
  useEffect(() => {
    if (walletMismatch) void client.resetQueries()
  }, [client, walletMismatch])

  useEffect(() => {
    const check = (event: QueryCacheNotifyEvent | MutationCacheNotifyEvent) => {
      if (userId === null || event.type !== 'updated' || event.action.type !== 'error') return
      const { error } = event.action
      if (error instanceof ApiError && error.code === 'unauthenticated') void controller.refresh()
    }
    const off = [client.getQueryCache().subscribe(check), client.getMutationCache().subscribe(check)]
    return () => {
      for (const stop of off) stop()
    }
  }, [client, controller, userId])
}
