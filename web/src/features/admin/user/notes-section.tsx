import { useInfiniteQuery } from '@tanstack/react-query'
import { NotebookPen } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { notesCsvUrl, useAddNote, userNotesQuery } from '@/api/admin-users'
import { useLanguage, useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { dateTime, shortAddress } from '@/lib/format'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { AdminList } from '../admin-list'
import { anyTime, periodOf } from '../period-filter'
import { adminTexts } from '../texts'
import type { SectionProps } from './section-props'

/** Admins' notes about a user, and a form for a new one. */
export default function NotesSection({ user }: SectionProps) {
  const { user: texts } = adminTexts.useT()
  const t = texts.notes
  const language = useLanguage()
  const [days, setDays] = useState(anyTime)
  const filter = periodOf(days)
  return (
    <div className="space-y-6">
      <NoteForm userId={user.id} />
      <AdminList
        list={useInfiniteQuery(userNotesQuery(user.id, filter))}
        label={texts.tab.notes}
        failed={texts.listFailed}
        period={{ value: days, onChange: setDays }}
        csv={{ url: notesCsvUrl(user.id, filter), label: texts.csv }}
        empty={{ icon: <NotebookPen />, title: t.none, text: t.noneText }}
        entryHeight="h-20"
        skeletonCount={2}
        idOf={({ id }) => id}
      >
        {({ text, walletAddress, createdAt }) => (
          <article className="panel rounded-xl px-5 py-3.5">
            <p className="text-sm break-words whitespace-pre-wrap">{text}</p>
            <p className="mt-2 text-xs text-muted-foreground">
              <span>{t.by}</span>{' '}
              <span className="font-mono" title={walletAddress}>
                {shortAddress(walletAddress, 6, 4)}
              </span>
              <span aria-hidden> · </span>
              <time dateTime={createdAt} className="tabular-nums">
                {dateTime(createdAt, language)}
              </time>
            </p>
          </article>
        )}
      </AdminList>
    </div>
  )
}

/** In characters. The server refuses longer notes. */
const longestNote = 1000

function NoteForm({ userId }: { userId: string }) {
  const texts = useT()
  const t = adminTexts.useT().user.notes
  const id = useId()
  const [text, setText] = useState('')
  const adding = useAddNote({
    onDone: () => {
      setText('')
      toast({ title: t.added })
    },
    onFailed: (error) => toast({ title: t.error, description: errorText(error, texts), variant: 'destructive' }),
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) adding.mutate({ id: userId, text: text.trim() })
  }
  return (
    <form onSubmit={onSubmit} className="panel space-y-3 rounded-2xl p-5">
      <label htmlFor={id} className="text-sm font-medium">
        {t.add}
      </label>
      <textarea
        id={id}
        rows={3}
        value={text}
        maxLength={longestNote}
        aria-describedby={`${id}text`}
        onChange={({ target }) => setText(target.value)}
        className="block w-full rounded-lg border border-line-strong bg-background px-3.5 py-2.5 text-sm transition-colors hover:border-muted-foreground"
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p id={`${id}text`} className="text-sm text-muted-foreground">
          {t.text}
        </p>
        <Button type="submit" disabled={adding.isPending || text.trim() === ''}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
