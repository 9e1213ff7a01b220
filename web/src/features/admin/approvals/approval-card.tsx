import { useLanguage } from '@/i18n'
import type { Approval } from '@/contract/types'
import { dateTime, dollars, number, points, shortAddress } from '@/lib/format'
import { useSession } from '@/lib/session'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { type Fact, Facts } from '@/components/ui/facts'
import { Subject } from '../subject'
import { adminTexts } from '../texts'
import type { Deciding } from './decide-dialog'
import { amountText, raiseOf, raisesOf } from './payload'

interface ApprovalCardProps {
  approval: Approval
  onDecide: (decision: Deciding['decision']) => void
}

/** One request. The admin who made it can't decide it. */
export function ApprovalCard({ approval, onDecide }: ApprovalCardProps) {
  const t = adminTexts.useT().approvals
  const language = useLanguage()
  const { user } = useSession()
  const { kind, subject, state, askedBy, reason, decision } = approval
  const open = state === 'pending'
  const own = askedBy === user?.walletAddress
  return (
    <article className="panel rounded-2xl p-5">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="font-semibold">{t.kinds[kind]}</h3>
        <span className="font-semibold tabular-nums">{amountText(approval, t, language)}</span>
        <Badge variant={state === 'approved' ? 'positive' : open ? 'outline' : 'neutral'}>{t.states[state]}</Badge>
        {open && !own && (
          <span className="ml-auto flex gap-2">
            {(['refuse', 'approve'] as const).map((act) => (
              <Button
                key={act}
                size="sm"
                variant={act === 'approve' ? 'primary' : 'secondary'}
                aria-label={t[`${act}Of`](t.kinds[kind])}
                onClick={() => onDecide(act)}
              >
                {t[act]}
              </Button>
            ))}
          </span>
        )}
      </header>
      <Subject of={subject} className="mt-1 block" />
      <Raises of={approval} />
      {reason && <p className="mt-3 text-sm break-words">{reason}</p>}
      {decision && <p className="mt-3 border-l-2 pl-3 text-sm break-words text-muted-foreground">{decision}</p>}
      <Facts layout="cells" facts={useFacts(approval)} className="mt-4" />
      {open && own && <p className="mt-3 text-sm text-muted-foreground">{t.own}</p>}
    </article>
  )
}

const shown = 10

/** The raised values, largest factor first. */
function Raises({ of }: { of: Approval }) {
  const t = adminTexts.useT().approvals
  const factor = ({ fromCents, baseValueCents }: ReturnType<typeof raisesOf>[number]) => baseValueCents / fromCents
  const raises = [...raisesOf(of)].sort((a, b) => factor(b) - factor(a))
  if (raises.length === 0) return null
  return (
    <ul className="mt-3 space-y-1 text-sm">
      {raises.slice(0, shown).map((raise) => (
        <li key={raise.itemId} className="flex flex-wrap justify-between gap-x-4">
          <span className="min-w-0 break-words">{raise.name}</span>
          <span className="tabular-nums">
            <span>{t.raise(dollars(raise.fromCents), dollars(raise.baseValueCents))}</span>
            {factor(raise) >= 1.1 && (
              <Badge className="ml-2">{t.factor(number(factor(raise), factor(raise) < 10 ? 1 : 0))}</Badge>
            )}
          </span>
        </li>
      ))}
      {raises.length > shown && <li className="text-muted-foreground">{t.more(raises.length - shown)}</li>}
    </ul>
  )
}

function useFacts(approval: Approval): Fact[] {
  const { askedBy, createdAt, expiresAt, state, decidedBy, decidedAt, debit } = approval
  const raise = raiseOf(approval)
  const t = adminTexts.useT().approvals
  const language = useLanguage()
  const address = (of: string) => <span title={of}>{shortAddress(of, 6, 4)}</span>
  const time = (of: string) => <time dateTime={of}>{dateTime(of, language)}</time>
  return [
    { label: t.askedBy, value: address(askedBy) },
    { label: t.at, value: time(createdAt) },
    ...(raise
      ? [
          { label: t.source, value: raise.source },
          { label: t.gain, value: dollars(raise.gainCents) },
        ]
      : []),
    ...(debit ? [{ label: t.takenBack, value: points(debit.takenCents) }] : []),
    ...(debit && debit.missingCents > 0 ? [{ label: t.missing, value: points(debit.missingCents) }] : []),
    ...(state === 'pending' ? [{ label: t.until, value: time(expiresAt) }] : []),
    ...(state === 'approved' || state === 'refused'
      ? [{ label: t.decidedBy, value: decidedBy ? address(decidedBy) : t.byCommand }]
      : []),
    ...(decidedAt ? [{ label: t.decidedAt, value: time(decidedAt) }] : []),
  ]
}
