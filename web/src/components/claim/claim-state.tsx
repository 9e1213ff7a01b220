import { Badge } from '@/components/ui/badge'
import type { Claim } from '@/contract/types'
import { claimTexts } from './texts'

const looks: Partial<Record<Claim['state'], 'positive' | 'outline' | 'gold'>> = {
  delivered: 'positive',
  shipped: 'gold',
  lost: 'outline',
  replacing: 'outline',
}

/** In what state a claim is, in plain words. */
export function ClaimState({ state }: { state: Claim['state'] }) {
  return <Badge variant={looks[state] ?? 'neutral'}>{claimTexts.useT().states[state]}</Badge>
}
