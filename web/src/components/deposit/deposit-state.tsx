import { Badge } from '@/components/ui/badge'
import type { Deposit } from '@/contract/types'
import { depositsTexts } from './texts'

/** In what state a deposit is, in plain words; and how its payment was not as it was asked for. */
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

/** What a deposit's state means for the money, as a sentence. */
export function useMeaning({ state, confirming }: Pick<Deposit, 'state' | 'confirming'>): string {
  const t = depositsTexts.useT()
  return state === 'pending' && confirming ? t.confirming : t.meanings[state]
}
