import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type ClaimOrder, useClaimChallenge, useClaimItems } from '@/api/redemptions'
import { useVaultWith } from '@/api/vault'
import { useWallet } from '@/api/wallet'
import { ItemCard } from '@/components/item-card'
import { itemOf } from '@/components/shown-item'
import { useLanguage, useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { ApiError } from '@/contract/error'
import type { Address, ClaimChallenge, ClaimTerms } from '@/contract/types'
import { countryName, dollars, points } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Points } from '@/components/points'
import { Button } from '@/components/ui/button'
import { type Fact, Facts } from '@/components/ui/facts'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { Spinner } from '@/components/ui/spinner'
import { clearAddressDraft } from './address-draft'
import { StepPanel } from './step-panel'
import { redemptionsTexts } from './texts'

interface ConfirmStepProps {
  terms: ClaimTerms
  order: ClaimOrder
  onBack: () => void
}

export function ConfirmStep({ terms, order, onBack }: ConfirmStepProps) {
  const t = redemptionsTexts.useT().flow
  return (
    <StepPanel title={t.confirmTitle} text={t.confirmText}>
      <Loaded
        query={useClaimChallenge(order)}
        failed={t.priceFailed}
        skeleton={<Skeleton className="mt-5 h-96 rounded-xl" />}
      >
        {(challenge) => (
          <>
            <div className="mt-5 grid gap-8 lg:grid-cols-2">
              <div className="min-w-0 space-y-5">
                <SelectedItems ids={order.inventoryIds} />
                <Destination address={challenge.address} />
              </div>
              <div className="space-y-5">
                <Price terms={terms} order={order} challenge={challenge} />
                <ul className="list-disc space-y-1.5 pl-4 text-sm text-pretty text-muted-foreground">
                  <li>{t.notes.cancel}</li>
                  <li>{t.notes.priceGuarantee}</li>
                  <li>{t.notes.lost}</li>
                </ul>
              </div>
            </div>
            <details className="mt-6 rounded-xl bg-muted px-4 py-3">
              <summary className="cursor-pointer text-sm font-medium">{t.message}</summary>
              <pre className="mt-3 font-mono text-xs break-words whitespace-pre-wrap">{challenge.message}</pre>
            </details>
            <SignButtons order={order} challenge={challenge} onBack={onBack} />
          </>
        )}
      </Loaded>
    </StepPanel>
  )
}

function SelectedItems({ ids }: { ids: readonly string[] }) {
  const { data = [] } = useVaultWith(ids)
  return (
    <ul className="divide-y divide-line">
      {data
        .filter(({ id }) => ids.includes(id))
        .map((entry) => (
          <li key={entry.id} className="py-2.5 first:pt-0">
            <ItemCard
              item={itemOf(entry)}
              layout="row"
              pictureClassName="h-16"
              valueCents={entry.item.baseValueCents}
            />
          </li>
        ))}
    </ul>
  )
}

function Destination({ address }: { address: Address }) {
  const t = redemptionsTexts.useT().flow
  const language = useLanguage()
  const { name, line1, line2, district, city, region, postalCode, country, phone } = address
  const place = [district, city, region, postalCode].filter(Boolean).join(', ')
  const lines = [name, line1, line2, place, countryName(country, language), phone]
  return (
    <div>
      <h3 className="text-sm text-muted-foreground">{t.to}</h3>
      <address className="mt-1 break-words not-italic">
        {lines.filter(Boolean).map((line, index) => (
          <span key={index} className="block">
            {line}
          </span>
        ))}
      </address>
    </div>
  )
}

interface PriceProps {
  terms: ClaimTerms
  order: ClaimOrder
  challenge: ClaimChallenge
}

function Price({ terms, order, challenge: { valueCents, shippingCents } }: PriceProps) {
  const t = redemptionsTexts.useT().flow
  const wallet = useWallet()
  const count = order.inventoryIds.length
  const rate = terms.rates.find(({ country }) => country === order.address.country)
  const known = rate ? rate.parcelCents + count * rate.itemCents : shippingCents
  const insurance = shippingCents - known
  const facts: Fact[] = [
    { label: t.value, value: dollars(valueCents), className: 'font-normal' },
    ...(rate
      ? [
          { label: t.parcel, value: <Points cents={rate.parcelCents} />, className: 'font-normal' },
          { label: t.handling(count), value: <Points cents={count * rate.itemCents} />, className: 'font-normal' },
        ]
      : []),
    ...(insurance > 0
      ? [
          {
            label: t.insurance(terms.insurancePercent, dollars(terms.insuredAboveCents)),
            value: <Points cents={insurance} />,
            className: 'font-normal',
          },
        ]
      : []),
    { label: t.total, value: <Points cents={shippingCents} />, className: 'text-2xl text-gold-text' },
    ...(wallet.data
      ? [{ label: t.balanceAfter, value: <Points cents={wallet.data.balanceCents - shippingCents} /> }]
      : []),
  ]
  return <Facts facts={facts} className="space-y-2" />
}

interface SignButtonsProps {
  order: ClaimOrder
  challenge: ClaimChallenge
  onBack: () => void
}

function SignButtons({ order, challenge, onBack }: SignButtonsProps) {
  const texts = useT()
  const t = redemptionsTexts.useT().flow
  const wallet = useWallet()
  const navigate = useNavigate()
  const { walletMismatch, sign, user } = useSession()
  const [signing, setSigning] = useState(false)
  const fail = (description: string) => toast({ title: t.signFailed, description, variant: 'destructive' })
  const claiming = useClaimItems({
    onDone: () => {
      if (user) clearAddressDraft(user.walletAddress)
      toast({ title: t.claimed, description: t.claimedText })
      void navigate({ to: '/claims' })
    },
    onFailed: (error) => fail(errorText(error, texts)),
  })
  const insufficient = wallet.data !== undefined && wallet.data.balanceCents < challenge.shippingCents
  const pending = signing || claiming.isPending

  function confirm() {
    if (pending) return
    setSigning(true)
    const { addressSalt, message } = challenge
    sign(message)
      // Send the address as typed: the label uses its spelling.
      .then((signature) => claiming.mutate({ ...order, addressSalt, ...signature }))
      .catch((error: unknown) => fail(error instanceof ApiError ? errorText(error, texts) : t.signFailedText))
      .finally(() => setSigning(false))
  }

  return (
    <div className="mt-6 flex flex-wrap items-center justify-between gap-3 border-t pt-5">
      <Button variant="secondary" onClick={onBack}>
        {t.back}
      </Button>
      <div className="flex flex-wrap items-center gap-4">
        {insufficient && (
          <p className="text-sm text-muted-foreground">
            <span>{t.insufficient}</span>{' '}
            <Link to="/topup" className="rounded-sm text-gold-text underline underline-offset-4">
              {t.topUp}
            </Link>
          </p>
        )}
        <Button disabled={walletMismatch || insufficient} aria-disabled={pending} onClick={confirm}>
          {pending && <Spinner />}
          <span>{signing ? t.signing : t.sign(points(challenge.shippingCents))}</span>
        </Button>
      </div>
    </div>
  )
}
