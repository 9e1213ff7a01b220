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
import { claimSearch, type Draft, type Step, steps } from './draft'
import { keepAddress, keptAddress } from './kept-address'
import { ItemsStep } from './items-step'
import { redemptionsTexts } from './texts'

/** The three steps to a claim. What is chosen stands in the address, what is typed in the tab: a reload loses neither. */
export function ClaimFlow() {
  const wallet = useSession().user?.walletAddress
  return wallet ? <Steps key={wallet} wallet={wallet} /> : <Skeleton className="h-96 rounded-2xl" />
}

function Steps({ wallet }: { wallet: string }) {
  const t = redemptionsTexts.useT().flow
  const navigate = useNavigate()
  const { items = [], step: asked = 'items' } = useSearch({ strict: false, select: claimSearch })
  const [address, setAddress] = useState(() => keptAddress(wallet))
  const step = items.length === 0 ? 'items' : asked === 'confirm' && !address.country ? 'address' : asked
  const go = (next: Draft) => void navigate({ to: '/claim', search: { items, step, ...next } })
  const change = (next: Partial<Address>) => {
    keepAddress(wallet, next)
    setAddress(next)
  }
  return (
    <Loaded query={useClaimTerms()} failed={t.addressFailed} skeleton={<Skeleton className="h-96 rounded-2xl" />}>
      {(terms) => (
        <div className="max-w-4xl space-y-6">
          <Progress step={step} />
          {step === 'items' && (
            <ItemsStep
              terms={terms}
              chosen={items}
              onChoose={(next) => void navigate({ to: '/claim', search: { items: next }, replace: true })}
              onNext={() => go({ step: 'address' })}
            />
          )}
          {step === 'address' && (
            <AddressStep
              terms={terms}
              items={items}
              address={address}
              onChange={change}
              onBack={() => go({ step: undefined })}
              onNext={(kept) => {
                change(kept)
                go({ step: 'confirm' })
              }}
            />
          )}
          {step === 'confirm' && (
            <ConfirmStep
              terms={terms}
              order={{ inventoryIds: items, address: address as Address }}
              onBack={() => go({ step: 'address' })}
            />
          )}
        </div>
      )}
    </Loaded>
  )
}

function Progress({ step }: { step: Step }) {
  const t = redemptionsTexts.useT().flow
  const at = steps.indexOf(step)
  return (
    <ol className="grid grid-cols-3 gap-3">
      {steps.map((name, n) => (
        <li
          key={name}
          aria-current={n === at ? 'step' : undefined}
          className={cn('text-sm', n <= at ? 'font-medium text-foreground' : 'text-muted-foreground')}
        >
          <span aria-hidden className={cn('mb-2.5 block h-0.5 rounded-full', n <= at ? 'bg-gold' : 'bg-line-strong')} />
          <span aria-hidden className="mr-2 tabular-nums">
            {n + 1}
          </span>
          <span className="sr-only">{t.step(n + 1, '')}</span>
          <span>{t.steps[name]}</span>
        </li>
      ))}
    </ol>
  )
}
