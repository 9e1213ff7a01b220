import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import { logWitnessesQuery } from '@/api/log'
import { useStore } from '@/lib/store'
import { parsePolicy } from '@/lib/protocol/witnesses'
import { saveTrustedWitnesses, trustedWitnesses } from '@/lib/trusted-witnesses'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { proofsTexts } from './texts'

/** The witnesses that the visitor trusts, which this browser keeps. */
export function WitnessForm() {
  const t = proofsTexts.useT().verify.witnesses
  const id = useId()
  const saved = useStore(trustedWitnesses)
  const ours = useQuery(logWitnessesQuery).data ?? ''
  const oursId = useId()
  const keys = useRef<HTMLTextAreaElement>(null)
  const [invalid, setInvalid] = useState(false)
  async function save(typed: string) {
    const isValid = typed === '' || (await parsePolicy(typed)) !== null
    setInvalid(!isValid)
    if (!isValid) return
    saveTrustedWitnesses(typed)
    toast({ title: typed === '' ? t.removed : t.saved })
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('keys')
    void save(typeof typed === 'string' ? typed.trim() : '')
  }
  /** The visitor decides whether to save them. */
  function fillIn() {
    if (!keys.current) return
    keys.current.value = ours.trim()
    keys.current.focus()
    setInvalid(false)
  }
  return (
    <form onSubmit={submit} noValidate className="panel rounded-2xl p-5">
      <h2 className="font-semibold">{t.title}</h2>
      <p className="mt-0.5 text-sm text-pretty text-muted-foreground">{t.text}</p>
      <textarea
        key={saved}
        ref={keys}
        name="keys"
        aria-label={t.keys}
        aria-invalid={invalid}
        aria-describedby={id}
        defaultValue={saved}
        rows={3}
        spellCheck={false}
        autoComplete="off"
        className="mt-3.5 block w-full rounded-lg border border-line-strong bg-background px-3.5 py-2.5 font-mono text-sm break-all transition-colors hover:border-muted-foreground"
        onChange={() => setInvalid(false)}
      />
      <p
        id={id}
        role={invalid ? 'alert' : undefined}
        className={invalid ? 'mt-2 text-sm text-destructive-text' : 'mt-2 text-sm text-muted-foreground'}
      >
        {invalid ? t.invalid : t.keysHelp}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" variant="secondary">
          {t.save}
        </Button>
        {ours !== '' && (
          <Button variant="ghost" aria-describedby={oursId} onClick={fillIn}>
            {t.useOurs}
          </Button>
        )}
      </div>
      {ours !== '' && (
        <p id={oursId} className="mt-2 text-[0.8125rem] text-pretty text-muted-foreground">
          {t.useOursHelp}
        </p>
      )}
    </form>
  )
}
