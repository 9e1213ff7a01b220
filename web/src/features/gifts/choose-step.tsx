import { type FormEvent, type ReactNode, type Ref, useId, useRef, useState } from 'react'
import { requestGiftChallenge } from '@/api/gifts'
import { ApiError } from '@/contract/error'
import { ItemCard } from '@/components/item-card'
import { config, terms } from '@/lib/config'
import { dollars } from '@/lib/format'
import { createGiftSecret, giftSecretHash } from '@/lib/gift-secret'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Facts } from '@/components/ui/facts'
import { Input } from '@/components/ui/input'
import { Notice } from '@/components/ui/notice'
import { ScrollRegion } from '@/components/ui/scroll-region'
import { Spinner } from '@/components/ui/spinner'
import { useGiftErrorText } from './gift-errors'
import type { GivenEntry, PreparedGift } from './prepared-gift'
import { giftsTexts } from './texts'

/** To whom a gift goes: the first person with a link, or a wallet. */
export interface Receiver {
  byLink: boolean
  /** As typed. */
  address: string
}

interface ChooseStepProps {
  entries: readonly GivenEntry[]
  /** How many entries the user has selected; more than `entries` if one gift can't hold them. */
  selected: number
  receiver: Receiver
  onReceiver: (receiver: Receiver) => void
  onLeaveOut: (ids: readonly string[]) => void
  onPrepared: (gift: PreparedGift) => void
  onClose: () => void
}

/** 32 bytes in base58. The server's check is stricter. */
const solanaAddress = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** The step that chooses the receiver: a wallet, or the first person with a link. */
export function ChooseStep({ entries, selected, receiver, onReceiver, ...on }: ChooseStepProps) {
  const { onLeaveOut, onPrepared, onClose } = on
  const t = giftsTexts.useT().give
  const giftErrorText = useGiftErrorText('give')
  const { user, walletMismatch } = useSession()
  const { byLink, address } = receiver
  const [addressProblem, setAddressProblem] = useState('')
  const [refused, setRefused] = useState<readonly string[]>([])
  const [pending, setPending] = useState(false)
  const addressInput = useRef<HTMLInputElement>(null)
  const { giftsDayCents } = config.rules
  const totalCents = entries.reduce((sum, { baseValueCents }) => sum + baseValueCents, 0)
  const refusedHere = entries.map(({ inventoryId }) => inventoryId).filter((id) => refused.includes(id))

  function showAddressProblem(problem: string) {
    setAddressProblem(problem)
    addressInput.current?.focus()
  }

  async function prepare(walletAddress: string) {
    const inventoryIds = entries.map(({ inventoryId }) => inventoryId)
    const secret = byLink ? createGiftSecret() : undefined
    const request = { inventoryIds, ...(secret ? { secretHash: await giftSecretHash(secret) } : { walletAddress }) }
    onPrepared({ request, challenge: await requestGiftChallenge(request), secret })
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (pending) return
    const walletAddress = address.trim()
    if (!byLink && !solanaAddress.test(walletAddress)) return showAddressProblem(t.addressInvalid)
    if (!byLink && walletAddress === user?.walletAddress) return showAddressProblem(t.addressOwn)
    setPending(true)
    prepare(walletAddress)
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.fields['walletAddress']) return showAddressProblem(t.addressInvalid)
        setRefused(refusedIds(error))
        toast({ title: t.messageFailed, description: giftErrorText(error), variant: 'destructive' })
      })
      .finally(() => setPending(false))
  }

  return (
    <form noValidate onSubmit={submit} className="space-y-5">
      <fieldset className="space-y-2">
        <legend className="mb-2 text-sm font-medium">{t.how}</legend>
        <Way
          title={t.byLink}
          text={t.byLinkText}
          checked={byLink}
          onCheck={() => onReceiver({ ...receiver, byLink: true })}
        />
        <Way
          title={t.toWallet}
          text={t.toWalletText}
          checked={!byLink}
          onCheck={() => onReceiver({ ...receiver, byLink: false })}
        >
          {!byLink && (
            <AddressField
              ref={addressInput}
              value={address}
              problem={addressProblem}
              onChange={(typed) => {
                onReceiver({ ...receiver, address: typed })
                setAddressProblem('')
              }}
            />
          )}
        </Way>
      </fieldset>
      <div>
        {selected > terms.mostGiftItems && (
          <p className="mb-2 text-sm text-muted-foreground">{t.first(terms.mostGiftItems, selected)}</p>
        )}
        {refusedHere.length > 0 && <Notice>{t.refused}</Notice>}
        <ScrollRegion aria-label={t.items} className="mx-0 max-h-56 rounded-xl border bg-background">
          <ul className="divide-y divide-line px-2">
            {entries.map((entry) => (
              <li key={entry.inventoryId} className="py-2.5">
                <ItemCard
                  item={entry}
                  layout="row"
                  pictureClassName="h-14"
                  valueCents={entry.baseValueCents}
                  badges={refused.includes(entry.inventoryId) && <Badge variant="destructive">{t.refusedMark}</Badge>}
                />
              </li>
            ))}
          </ul>
          {entries.length === 0 && <p className="p-3 text-sm text-muted-foreground">{t.nothing}</p>}
        </ScrollRegion>
        {entries.length > 1 && (
          <Facts className="mt-3" facts={[{ label: t.total, value: dollars(totalCents), className: 'text-base' }]} />
        )}
      </div>
      <p className="text-[0.8125rem] text-muted-foreground">
        {t.limits(terms.mostGiftItems, giftsDayCents > 0 ? dollars(giftsDayCents) : '')}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onClose}>
          {t.cancel}
        </Button>
        {refusedHere.length > 0 ? (
          <Button key="leave out" onClick={() => onLeaveOut(refusedHere)}>
            {t.leaveOut(refusedHere.length)}
          </Button>
        ) : (
          // With its own key: React must not reuse the element, or the click that removes items submits the form.
          <Button key="next" type="submit" disabled={walletMismatch || entries.length === 0} aria-disabled={pending}>
            {pending && <Spinner />}
            <span>{pending ? t.preparing : t.next}</span>
          </Button>
        )}
      </div>
    </form>
  )
}

/** The ids of the entries that the server refused. */
function refusedIds(error: unknown): readonly string[] {
  const details = (error instanceof ApiError ? error.details : undefined) as { inventoryIds?: string[] } | undefined
  return details?.inventoryIds ?? []
}

interface WayProps {
  title: string
  text: string
  checked: boolean
  onCheck: () => void
  children?: ReactNode
}

/** A radio button for a way to give, with the fields that it needs. */
function Way({ title, text, checked, onCheck, children }: WayProps) {
  const id = useId()
  return (
    <div className="rounded-xl border border-line px-3.5 py-3 transition-colors has-checked:border-gold-text has-checked:bg-muted">
      <label className="flex cursor-pointer gap-3">
        <input
          type="radio"
          name="way"
          checked={checked}
          onChange={onCheck}
          aria-describedby={id}
          className="mt-0.5 size-4 shrink-0 accent-gold"
        />
        <span className="text-sm leading-5 font-medium">{title}</span>
      </label>
      <p id={id} className="mt-0.5 pl-7 text-[0.8125rem] text-pretty text-muted-foreground">
        {text}
      </p>
      {children && <div className="mt-3 pl-7">{children}</div>}
    </div>
  )
}

interface AddressFieldProps {
  ref: Ref<HTMLInputElement>
  value: string
  problem: string
  onChange: (value: string) => void
}

function AddressField({ ref, value, problem, onChange }: AddressFieldProps) {
  const t = giftsTexts.useT().give
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {t.address}
      </label>
      <Input
        ref={ref}
        id={id}
        value={value}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problem !== ''}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        className="font-mono text-sm"
      />
      <p
        id={`${id}-hint`}
        aria-live="polite"
        className={
          problem ? 'mt-1.5 text-[0.8125rem] text-destructive-text' : 'mt-1.5 text-[0.8125rem] text-muted-foreground'
        }
      >
        {problem || t.addressHint}
      </p>
    </>
  )
}
