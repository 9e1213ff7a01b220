import { Search } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { proofsTexts } from './texts'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'

const openIdPattern = /^[a-z0-9-]{1,64}$/
const exampleOpenId = '01890a5d-ac96-774b-bcce-b302099a8057'

/** Finds the proof of an open by its id. */
export function OpenIdForm({ onOpenId }: { onOpenId: (openId: string) => void }) {
  const t = proofsTexts.useT().verify.check
  const id = useId()
  const [invalid, setInvalid] = useState(false)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('openId')
    const openId = typeof typed === 'string' ? typed.trim().toLowerCase() : ''
    setInvalid(!openIdPattern.test(openId))
    if (openIdPattern.test(openId)) onOpenId(openId)
  }
  return (
    <form onSubmit={submit} noValidate className="panel rounded-2xl p-5">
      <h2 className="font-semibold">{t.byId}</h2>
      <p className="mt-0.5 text-sm text-muted-foreground">{t.byIdHelp}</p>
      <div className="mt-3.5 flex gap-2.5">
        <Input
          name="openId"
          aria-label={t.openId}
          aria-invalid={invalid}
          aria-describedby={invalid ? id : undefined}
          placeholder={exampleOpenId}
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-sm"
          onChange={() => setInvalid(false)}
        />
        <Button type="submit" variant="secondary" className="h-11">
          <Search aria-hidden />
          <span>{t.look}</span>
        </Button>
      </div>
      {invalid && (
        <p id={id} role="alert" className="mt-2 text-sm text-destructive-text">
          {t.invalidId}
        </p>
      )}
    </form>
  )
}
