import { useId, useState } from 'react'
import { shortAddress } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { DialogHeader } from '@/components/ui/dialog'
import { ScrollRegion } from '@/components/ui/scroll-region'
import { Spinner } from '@/components/ui/spinner'
import { passkeyTexts } from '../texts'
import { SignInError } from '../sign-in-error'
import { passkeyId, walletError } from '../wallets/wallet'
import type { OpenQuestion, Question } from './question'
import { Warning } from './warning'

/**
 * The contents of a dialog in which the passkey wallet says what it is about to do. The device asks for the user only
 * after they agree here.
 */
export default function QuestionView({ openQuestion: { question, confirm, cancel } }: { openQuestion: OpenQuestion }) {
  const t = passkeyTexts.useT()
  const texts = useTexts(question)
  const [waiting, setWaiting] = useState(false)
  const [error, setError] = useState<unknown>(null)

  function submit() {
    if (waiting) return
    setWaiting(true)
    setError(null)
    confirm()
      .catch(setError)
      .finally(() => setWaiting(false))
  }

  return (
    <>
      <DialogHeader title={texts.title} text={texts.text} />
      {question.kind === 'create' && <CreateNotes known={question.known} />}
      {question.kind === 'sign' && <TextToSign text={question.text} address={question.address} />}
      {question.kind === 'otherWallet' && <Addresses address={question.address} last={question.last} />}
      {error !== null && <SignInError error={walletError(error)} walletId={passkeyId} className="mt-4" />}
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={cancel}>
          {t.cancel}
        </Button>
        <Button aria-disabled={waiting} onClick={submit}>
          {waiting && <Spinner />}
          <span>{waiting ? t.waiting : texts.confirm}</span>
        </Button>
      </div>
    </>
  )
}

function useTexts(question: Question): { title: string; text: string; confirm: string } {
  const t = passkeyTexts.useT()
  if (question.kind !== 'otherWallet') return t[question.kind]
  return { ...t.otherWallet, confirm: t.otherWallet.use(shortAddress(question.address, 4, 4)) }
}

function CreateNotes({ known }: { known: boolean }) {
  const t = passkeyTexts.useT()
  return (
    <div className="space-y-4">
      <Warning>{t.warning}</Warning>
      <ul className="list-disc space-y-1.5 pl-4 text-sm text-pretty text-muted-foreground">
        {known && <li>{t.create.known}</li>}
        <li>{t.create.devices}</li>
        <li>{t.create.twice}</li>
      </ul>
    </div>
  )
}

function TextToSign({ text, address }: { text: string; address: string }) {
  const t = passkeyTexts.useT().sign
  const id = useId()
  return (
    <figure aria-labelledby={id}>
      <figcaption id={id} className="mb-1.5 text-sm">
        <span>{t.wallet(shortAddress(address, 4, 4))}</span>
      </figcaption>
      <ScrollRegion aria-label={t.message} className="mx-0 max-h-72 rounded-xl bg-muted px-4 py-3">
        <pre translate="no" className="font-mono text-xs break-words whitespace-pre-wrap">
          {text}
        </pre>
      </ScrollRegion>
    </figure>
  )
}

function Addresses({ address, last }: { address: string; last: string }) {
  const t = passkeyTexts.useT().otherWallet
  return (
    <dl className="space-y-3 rounded-xl bg-muted px-4 py-3 text-sm">
      {[
        { label: t.this, value: address },
        { label: t.last, value: last },
      ].map(({ label, value }) => (
        <div key={label}>
          <dt className="text-muted-foreground">{label}</dt>
          <dd translate="no" className="font-mono text-xs break-all">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
