import { UserX } from 'lucide-react'
import { CancelDeletion } from '@/features/account/cancel-deletion'
import { accountTexts } from '@/features/account/texts'
import { useLanguage } from '@/i18n'
import { dateTime } from '@/lib/format'

/** Says on every page that the account is going to be deleted, and lets its user cancel. */
export default function DeletionBanner({ dueAt }: { dueAt: string }) {
  const t = accountTexts.useT().deletion
  const language = useLanguage()
  return (
    <section
      aria-label={t.heading}
      className="flex flex-wrap items-center justify-center gap-3 bg-warning px-4 py-2 text-sm text-warning-foreground"
    >
      <UserX aria-hidden className="size-4 shrink-0" />
      <p className="font-medium">{t.pending(dateTime(dueAt, language))}</p>
      <CancelDeletion />
    </section>
  )
}
