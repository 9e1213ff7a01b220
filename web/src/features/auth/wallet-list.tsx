import { ExternalLink, FlaskConical, Ghost, KeyRound, Plus, WalletMinimal } from 'lucide-react'
import { type Dictionary, useT } from '@/i18n'
import { Badge } from '@/components/ui/badge'
import { Spinner } from '@/components/ui/spinner'
import type { Attempt } from './session-state'
import { isPhone, walletApps } from './wallets/phone'
import { passkeyEntries } from './passkey/wallet-entries'
import { demoId, newPasskeyId, passkeyId, phantomId, type Wallet } from './wallets/wallet'
import { progressText, walletLabel } from './wallet-text'

interface WalletListProps {
  wallets: readonly Wallet[]
  attempt: Attempt
  onChoose: (walletId: string) => void
}

/** Detected wallets and passkeys, then a Phantom to install if there is none. On phones, links to the wallet apps instead. */
export function WalletList({ wallets, attempt, onChoose }: WalletListProps) {
  const t = useT()
  const phone = isPhone()
  const missing = phone || wallets.some(({ id }) => id === phantomId) ? [] : [{ id: phantomId, icon: null }]
  const apps = phone ? walletApps(location).filter(({ name }) => !wallets.some(({ id }) => id === name)) : []
  const busy = attempt.stage === 'connecting' || attempt.stage === 'signing'
  const rows = wallets.flatMap((wallet): readonly Pick<Wallet, 'id' | 'icon'>[] =>
    wallet.create ? passkeyEntries() : [wallet],
  )
  return (
    <ul aria-label={t.identity.wallets} className="space-y-2">
      {[...rows, ...missing].map(({ id, icon }) => (
        <li key={id}>
          <button
            type="button"
            disabled={busy}
            onClick={() => onChoose(id)}
            className="flex w-full items-center gap-3 rounded-xl border border-line bg-raised p-3 text-left text-raised-foreground transition-colors hover:border-line-strong disabled:opacity-60"
          >
            <WalletIcon id={id} icon={icon} />
            <span className="min-w-0 grow">
              <span className="block font-medium">{entryTitle(id, t)}</span>
              <WalletNote id={id} attempt={attempt} />
            </span>
            {busy && attempt.wallet === id ? (
              <Spinner />
            ) : (
              !ownIds.includes(id) && (
                <Badge>{missing[0]?.id === id ? t.identity.notInstalled : t.identity.detected}</Badge>
              )
            )}
          </button>
        </li>
      ))}
      {apps.map(({ name, link }) => (
        <li key={name}>
          <a
            href={link}
            className="flex w-full items-center gap-3 rounded-xl border border-line bg-raised p-3 text-raised-foreground transition-colors hover:border-line-strong"
          >
            <WalletIcon id={name} icon={null} />
            <span className="min-w-0 grow">
              <span className="block font-medium">{t.identity.openIn(name)}</span>
              <span className="block text-[0.8125rem] text-muted-foreground">{t.identity.openInNote}</span>
            </span>
            <ExternalLink aria-hidden className="size-4 shrink-0" />
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Wallets of this site, which are always there. */
const ownIds = [demoId, passkeyId, newPasskeyId]

const icons: Readonly<Record<string, typeof Ghost>> = {
  [demoId]: FlaskConical,
  [phantomId]: Ghost,
  [passkeyId]: KeyRound,
  [newPasskeyId]: Plus,
}

function WalletIcon({ id, icon }: Pick<Wallet, 'id' | 'icon'>) {
  if (icon) return <img src={icon} alt="" className="size-9 rounded-lg" />
  const Icon = icons[id] ?? WalletMinimal
  return (
    <span className="grid size-9 shrink-0 place-items-center rounded-lg bg-muted text-gold-text">
      <Icon aria-hidden className="size-5" />
    </span>
  )
}

function WalletNote({ id, attempt }: { id: string; attempt: Attempt }) {
  const t = useT()
  const busy = (attempt.stage === 'connecting' || attempt.stage === 'signing') && attempt.wallet === id
  const text = busy ? progressText(attempt.stage, id, t) : notes(t)[id]
  return (
    <span aria-live="polite" className="block text-[0.8125rem] text-muted-foreground">
      {text}
    </span>
  )
}

const notes = ({ identity: t }: Dictionary): Readonly<Record<string, string>> => ({
  [demoId]: t.demoWalletNote,
  [passkeyId]: t.usePasskeyNote,
  [newPasskeyId]: t.createPasskeyNote,
})

function entryTitle(id: string, t: Dictionary): string {
  if (id === passkeyId) return t.identity.usePasskey
  return id === newPasskeyId ? t.identity.createPasskey : walletLabel(id, t)
}
