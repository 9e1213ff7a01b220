import { Badge } from '@/components/ui/badge'
import type { Deposit } from '@/contract/types'
import { depositsTexts } from './texts'

/** Badges for the state and for an irregular payment. */
export function DepositState({ of: { state, exception } }: { of: Pick<Deposit, 'state' | 'exception'> }) {
  const t = depositsTexts.useT()
  return (
    <span className="inline-flex flex-wrap justify-end gap-1.5 justify-self-end">
      <Badge variant={state === 'credited' ? 'positive' : state === 'review' ? 'outline' : 'neutral'}>
        {t.states[state]}
      </Badge>
      {exception && <Badge variant="outline">{t.exceptions[exception]}</Badge>}
    </span>
  )
}

/** A sentence on what the state means for the user's money. */
export function useDepositMeaning({ state, confirming }: Pick<Deposit, 'state' | 'confirming'>): string {
  const t = depositsTexts.useT()
  return state === 'pending' && confirming ? t.confirming : t.meanings[state]
}
