import { Snowflake } from 'lucide-react'
import { accountTexts } from '@/features/account/texts'
import type { User } from '@/contract/types'
import { config } from '@/lib/config'

/** Says on every page that the account is frozen, why, and whom to ask. */
export default function FrozenBanner({ reason }: Pick<NonNullable<User['frozen']>, 'reason'>) {
  const t = accountTexts.useT().frozen
  return (
    <section
      aria-label={t.label}
      className="flex items-start justify-center gap-2 bg-destructive px-4 py-2 text-sm text-destructive-foreground"
    >
      <Snowflake aria-hidden className="mt-0.5 size-4 shrink-0" />
      <p className="flex flex-wrap gap-x-2">
        <strong className="font-semibold">{t.title(reason)}</strong>
        <span>{t.text}</span>
        {config.chat && (
          <a href={config.chat} target="_blank" rel="noreferrer" className="underline underline-offset-4">
            {t.contact}
          </a>
        )}
      </p>
    </section>
  )
}
