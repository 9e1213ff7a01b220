import { numberKinds } from '@/lib/parse-number'
import { NumberField } from '@/components/ui/form/number-field'
import type { Showing } from '@/components/ui/form/use-form'
import { Tabs, TabsList, TabsPanel, TabsTrigger } from '@/components/ui/tabs'
import type { Asked, Typed } from './bid-schema'
import { bidsTexts } from './texts'

interface BidPriceProps {
  form: Showing<Typed, Asked>
  pegged: boolean
  /** Absent where a bid is always a part of the value. */
  onPegged: ((pegged: boolean) => void) | undefined
}

/** What a bid pays: a price, or a part of the value up to a cap. */
export function BidPrice({ form, pegged, onPegged }: BidPriceProps) {
  const t = bidsTexts.useT().bids.form
  if (!onPegged) return <Pegged form={form} />
  return (
    <Tabs value={pegged ? 'pegged' : 'fixed'} onValueChange={(kind) => onPegged(kind === 'pegged')}>
      <TabsList label={t.kind}>
        <TabsTrigger value="fixed">{t.fixed}</TabsTrigger>
        <TabsTrigger value="pegged">{t.pegged}</TabsTrigger>
      </TabsList>
      <TabsPanel className="mt-4">
        {pegged ? <Pegged form={form} /> : <Money form={form} name="priceCents" />}
      </TabsPanel>
    </Tabs>
  )
}

function Pegged({ form }: Pick<BidPriceProps, 'form'>) {
  const t = bidsTexts.useT().bids.form
  return (
    <div className="grid grid-cols-2 gap-4">
      <NumberField form={form} name="pegPercent" label={t.pegPercent} kind={numberKinds.wholePercent} />
      <Money form={form} name="capCents" />
    </div>
  )
}

function Money({ form, name }: Pick<BidPriceProps, 'form'> & { name: 'priceCents' | 'capCents' }) {
  const t = bidsTexts.useT().bids.form
  return <NumberField form={form} name={name} label={t[name]} kind={numberKinds.money} />
}
