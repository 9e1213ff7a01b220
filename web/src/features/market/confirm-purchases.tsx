import { marketTexts } from './texts'
import { setPurchaseConfirmation, usePurchaseConfirmation } from './purchase-confirmation'

/** The setting whether a purchase takes a second press. */
export function ConfirmPurchases() {
  const t = marketTexts.useT().trade
  const on = usePurchaseConfirmation()
  return (
    <label className="flex h-8 cursor-pointer items-center gap-2 text-sm text-muted-foreground hover:text-foreground">
      <input
        type="checkbox"
        checked={on}
        onChange={({ currentTarget }) => setPurchaseConfirmation(currentTarget.checked)}
        className="size-4 accent-(--gold)"
      />
      <span>{t.confirmPurchases}</span>
    </label>
  )
}
