import { useT } from '@/i18n'
import type { Opening } from '@/lib/api/types'

/** What anyone needs to draw this opening again elsewhere. */
export function VerifySummary({ opening }: { opening: Opening }) {
  const t = useT().opening
  const rows = [
    [t.verify.summary.commitment, opening.commitment],
    [t.verify.summary.serverSeed, opening.serverSeedRevealed || t.toast.later],
    [t.verify.summary.clientSeed, opening.clientSeed],
    [t.verify.summary.nonce, String(opening.nonce)],
  ] as const
  return (
    <dl className="mt-5 space-y-2.5">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt className="text-xs text-muted-foreground">{label}</dt>
          <dd className="font-mono text-xs break-all select-all">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
