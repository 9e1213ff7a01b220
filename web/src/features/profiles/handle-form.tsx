import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { useSaveProfile } from '@/api/profile'
import { ApiError, type ErrorCode } from '@/contract/error'
import type { User } from '@/contract/types'
import { useLanguage, useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { dateTime } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/form/field'
import { Form, SubmitButton } from '@/components/ui/form/form'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { GiveUpDialog } from './give-up-dialog'
import { profilesTexts } from './texts'

const shortestHandle = 3
const longestHandle = 20
/** Before a handle, in every language. */
const at = '@'
const handlePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const handleSchema = z.object({
  handle: z.string().check(
    z.trim(),
    z.toLowerCase(),
    z.refine(
      (handle) => handle.length >= shortestHandle && handle.length <= longestHandle && handlePattern.test(handle),
      'format',
    ),
  ),
})

/** Refusals about the handle, shown at the field. */
const refusals: readonly string[] = ['handle_taken', 'handle_not_allowed', 'handle_too_soon'] satisfies ErrorCode[]

/** Chooses, changes or gives up the visitor's handle. */
export function HandleForm({ user }: { user: User }) {
  const texts = useT()
  const language = useLanguage()
  const t = profilesTexts.useT().settings
  const { walletMismatch } = useSession()
  const [refusal, setRefusal] = useState<Error>()
  const place = useRef<HTMLDivElement>(null)
  const form = useForm({
    schema: handleSchema,
    defaultValues: { handle: user.handle },
    fieldErrorText(problem) {
      if (problem === 'format') return t.problems.format
      return refusals.includes(problem) ? errorText(refusal, texts) : t.problems.refused
    },
  })
  const saving = useSaveProfile({
    onSuccess: () => toast({ title: t.saved }),
    onError(error) {
      if (error instanceof ApiError && refusals.includes(error.code)) {
        setRefusal(error)
        form.setError('handle', { type: 'refused', message: error.code })
      } else if (!form.showServerErrors(error))
        toast({ title: t.saveFailed, description: errorText(error, texts), variant: 'destructive' })
    },
  })

  const typed = useWatch({ control: form.control, name: 'handle' })
  // The button that had the focus is gone once the handle can't be changed for a while.
  useEffect(() => {
    if (saving.isSuccess && document.activeElement === document.body) focusField(place.current)
  }, [saving.isSuccess])

  const locked = Boolean(user.profileLockReason)
  const changeable = !locked && user.handleAllowed && user.handleChangeableAt === undefined
  const why = locked
    ? t.locked
    : !user.handleAllowed
      ? t.notAllowed
      : user.handleChangeableAt
        ? t.changeableAt(dateTime(user.handleChangeableAt, language))
        : t.changes
  return (
    <div ref={place} className="max-w-lg">
      <Form
        form={form}
        pending={saving.isPending}
        onSubmit={(body) => saving.mutate(body)}
        actions={
          <div className="mt-3 flex flex-wrap gap-3">
            {changeable && (
              <SubmitButton pending={saving.isPending} disabled={walletMismatch || typed === user.handle}>
                {saving.isPending ? t.saving : t.save}
              </SubmitButton>
            )}
            {user.handle && (
              <GiveUp
                handle={user.handle}
                onGivenUp={() => {
                  form.reset({ handle: '' })
                  // The button is gone.
                  focusField(place.current)
                }}
              />
            )}
          </div>
        }
      >
        <Field form={form} name="handle" label={t.handle} hint={t.rules} below={<Why text={why} />}>
          {(control) => (
            <div className="relative">
              <span
                aria-hidden
                className="pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-muted-foreground"
              >
                {at}
              </span>
              <Input
                {...control}
                readOnly={!changeable}
                autoCapitalize="none"
                autoComplete="off"
                autoCorrect="off"
                spellCheck={false}
                maxLength={longestHandle}
                className="pl-8 read-only:bg-muted"
              />
            </div>
          )}
        </Field>
      </Form>
    </div>
  )
}

const focusField = (place: HTMLElement | null) => place?.querySelector('input')?.focus()

function Why({ text }: { text: string }) {
  return <p className="mt-1 text-[0.8125rem] leading-snug text-pretty text-muted-foreground">{text}</p>
}

function GiveUp({ handle, onGivenUp }: { handle: string; onGivenUp: () => void }) {
  const t = profilesTexts.useT().settings
  const { walletMismatch } = useSession()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button variant="secondary" disabled={walletMismatch} onClick={() => setAsking(true)}>
        {t.giveUp}
      </Button>
      {asking && <GiveUpDialog handle={handle} onClose={() => setAsking(false)} onGivenUp={onGivenUp} />}
    </>
  )
}
