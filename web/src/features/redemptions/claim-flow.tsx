import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useClaimTerms } from '@/api/redemptions'
import { cn } from '@/lib/cn'
import type { Address } from '@/contract/types'
import { useSession } from '@/lib/session'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { AddressStep } from './address-step'
import { ConfirmStep } from './confirm-step'
import { claimSearch, type ClaimSearch, type Step, steps } from './claim-search'
import { saveAddressDraft, loadAddressDraft } from './address-draft'
import { ItemsStep } from './items-step'
import { redemptionsTexts } from './texts'

/** The three steps of a shipment. The selection is in the URL and the address in session storage, so reloads keep both. */
export function ClaimFlow() {
  const wallet = useSession().user?.walletAddress
  return wallet ? <Steps key={wallet} wallet={wallet} /> : <Skeleton className="h-96 rounded-2xl" />
}

function Steps({ wallet }: { wallet: string }) {
  const t = redemptionsTexts.useT().flow
  const navigate = useNavigate()
  const { items = [], step: requested = 'items' } = useSearch({ strict: false, select: claimSearch })
  const [address, setAddress] = useState(() => loadAddressDraft(wallet))
  const step = items.length === 0 ? 'items' : requested === 'confirm' && !address.country ? 'address' : requested
  const goTo = (next: ClaimSearch) => void navigate({ to: '/claim', search: { items, step, ...next } })
  const change = (next: Partial<Address>) => {
    saveAddressDraft(wallet, next)
    setAddress(next)
  }
  return (
    <Loaded query={useClaimTerms()} failed={t.addressFailed} skeleton={<Skeleton className="h-96 rounded-2xl" />}>
      {(terms) => (
        <div className="max-w-4xl space-y-6">
          <StepProgress step={step} />
          {step === 'items' && (
            <ItemsStep
              terms={terms}
              chosen={items}
              onChoose={(next) => void navigate({ to: '/claim', search: { items: next }, replace: true })}
              onNext={() => goTo({ step: 'address' })}
            />
          )}
          {step === 'address' && (
            <AddressStep
              terms={terms}
              items={items}
              address={address}
              onChange={change}
              onBack={() => goTo({ step: undefined })}
              onNext={(checked) => {
                change(checked)
                goTo({ step: 'confirm' })
              }}
            />
          )}
          {step === 'confirm' && (
            <ConfirmStep
              terms={terms}
              order={{ inventoryIds: items, address: address as Address }}
              onBack={() => goTo({ step: 'address' })}
            />
          )}
        </div>
      )}
    </Loaded>
  )
}

function StepProgress({ step }: { step: Step }) {
  const t = redemptionsTexts.useT().flow
  const current = steps.indexOf(step)
  return (
    <ol className="grid grid-cols-3 gap-3">
      {steps.map((name, index) => (
        <li
          key={name}
          aria-current={index === current ? 'step' : undefined}
          className={cn('text-sm', index <= current ? 'font-medium text-foreground' : 'text-muted-foreground')}
        >
          <span
            aria-hidden
            className={cn('mb-2.5 block h-0.5 rounded-full', index <= current ? 'bg-gold' : 'bg-line-strong')}
          />
          <span aria-hidden className="mr-2 tabular-nums">
            {index + 1}
          </span>
          <span className="sr-only">{t.step(index + 1, '')}</span>
          <span>{t.steps[name]}</span>
        </li>
      ))}
    </ol>
  )
}
