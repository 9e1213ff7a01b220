import { Badge } from '@/components/ui/badge'
import type { Claim } from '@/contract/types'
import { claimTexts } from './texts'

const variants: Partial<Record<Claim['state'], 'positive' | 'outline' | 'gold'>> = {
  delivered: 'positive',
  shipped: 'gold',
  lost: 'outline',
  replacing: 'outline',
}

export function ClaimState({ state }: { state: Claim['state'] }) {
  return <Badge variant={variants[state] ?? 'neutral'}>{claimTexts.useT().states[state]}</Badge>
}
