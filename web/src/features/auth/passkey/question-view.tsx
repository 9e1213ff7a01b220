import { useId, useState } from 'react'
import { shortAddress } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { DialogHeader } from '@/components/ui/dialog'
import { ScrollRegion } from '@/components/ui/scroll-region'
import { Spinner } from '@/components/ui/spinner'
import { passkeyTexts } from '../texts'
import { Failed } from './failed'
import type { OpenQuestion, Question } from './question'
import { Warning } from './warning'

/**
 * The contents of a dialog in which the passkey wallet says what it is about to do. The device asks for the user only
 * after they agree here.
 */
export default function QuestionView({ asked: { question, act, cancel } }: { asked: OpenQuestion }) {
  const t = passkeyTexts.useT()
  const words = useWords(question)
  const [waiting, setWaiting] = useState(false)
  const [error, setError] = useState<unknown>(null)

  function confirm() {
    if (waiting) return
    setWaiting(true)
    setError(null)
    act()
      .catch(setError)
      .finally(() => setWaiting(false))
  }

  return (
    <>
      <DialogHeader title={words.title} text={words.text} />
      {question.kind === 'create' && <CreateNotes known={question.known} />}
      {question.kind === 'sign' && <TextToSign text={question.text} address={question.address} />}
      {question.kind === 'other' && <Addresses address={question.address} last={question.last} />}
      <Failed error={error} />
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={cancel}>
          {t.cancel}
        </Button>
        <Button aria-disabled={waiting} onClick={confirm}>
          {waiting && <Spinner />}
          <span>{waiting ? t.waiting : words.confirm}</span>
        </Button>
      </div>
    </>
  )
}

function useWords(question: Question): { title: string; text: string; confirm: string } {
  const t = passkeyTexts.useT()
  if (question.kind !== 'other') return t[question.kind]
  return { ...t.other, confirm: t.other.use(shortAddress(question.address, 4, 4)) }
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
  const t = passkeyTexts.useT().other
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
