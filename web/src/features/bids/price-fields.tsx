import { numberKinds } from '@/lib/parse-number'
import { NumberField } from '@/components/ui/form/number-field'
import type { FieldForm } from '@/components/ui/form/use-form'
import { Tabs, TabsList, TabsPanel, TabsTrigger } from '@/components/ui/tabs'
import type { BidValues, BidFields } from './bid-schema'
import { bidsTexts } from './texts'

interface PriceFieldsProps {
  form: FieldForm<BidFields, BidValues>
  pegged: boolean
  /** Without it the bid is always a percentage of the value. */
  onPeggedChange: ((pegged: boolean) => void) | undefined
}

export function PriceFields({ form, pegged, onPeggedChange }: PriceFieldsProps) {
  const t = bidsTexts.useT().bids.form
  if (!onPeggedChange) return <PeggedFields form={form} />
  return (
    <Tabs value={pegged ? 'pegged' : 'fixed'} onValueChange={(kind) => onPeggedChange(kind === 'pegged')}>
      <TabsList label={t.kind}>
        <TabsTrigger value="fixed">{t.fixed}</TabsTrigger>
        <TabsTrigger value="pegged">{t.pegged}</TabsTrigger>
      </TabsList>
      <TabsPanel className="mt-4">
        {pegged ? <PeggedFields form={form} /> : <MoneyField form={form} name="priceCents" />}
      </TabsPanel>
    </Tabs>
  )
}

function PeggedFields({ form }: Pick<PriceFieldsProps, 'form'>) {
  const t = bidsTexts.useT().bids.form
  return (
    <div className="grid grid-cols-2 gap-4">
      <NumberField form={form} name="pegPercent" label={t.pegPercent} kind={numberKinds.wholePercent} />
      <MoneyField form={form} name="capCents" />
    </div>
  )
}

function MoneyField({ form, name }: Pick<PriceFieldsProps, 'form'> & { name: 'priceCents' | 'capCents' }) {
  const t = bidsTexts.useT().bids.form
  return <NumberField form={form} name={name} label={t[name]} kind={numberKinds.money} />
}
