import { useSession } from '@/lib/session'
import { Points } from '@/components/points'
import { ChoiceTile } from '@/components/ui/choice-tile'
import { HandCoinsIcon } from '@/components/ui/card-icons'
import { type Sellable, sumOf } from './sellable'
import { sellbackTexts } from './texts'

interface SellChoiceProps {
  items: readonly Sellable[]
  /** The user selected these items among others. */
  selected: boolean
  onSell: (items: readonly Sellable[]) => void
}

/** Opens the quick sell dialog for pulled items. Names what Kaibao pays for them. */
export function SellChoice({ items, selected, onSell }: SellChoiceProps) {
  const t = sellbackTexts.useT()
  const { walletMismatch } = useSession()
  const n = items.length
  return (
    <ChoiceTile
      icon={<HandCoinsIcon aria-hidden />}
      title={selected ? t.sellSelected(n) : n === 1 ? t.sellIt : t.sellAll(n)}
      detail={<Points cents={sumOf(items)} className="text-foreground" />}
      disabled={walletMismatch}
      onClick={() => onSell(items)}
    />
  )
}
