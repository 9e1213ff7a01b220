import { useBlockedGivers, useUnblockGiver } from '@/api/gifts'
import { useLanguage, useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import type { BlockedGiver } from '@/contract/types'
import { shortDate } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { InlineError } from '@/components/ui/inline-error'
import { Spinner } from '@/components/ui/spinner'
import { PersonPicture, usePersonName } from './person'
import { Section } from './section'
import { giftsTexts } from './texts'

/** Givers that the user has blocked; nothing if there are none. */
export function BlockedGivers() {
  const t = giftsTexts.useT().gifts
  const { data, error, refetch } = useBlockedGivers()
  if (!data && error) return <InlineError text={t.blockedFailed} retry={() => void refetch()} />
  if (!data?.length) return null
  return (
    <Section title={t.blockedTitle} text={t.blockedText}>
      <ul aria-label={t.blockedTitle} className="panel divide-y divide-line rounded-2xl px-5">
        {data.map((blocked) => (
          <li key={blocked.id} className="flex flex-wrap items-center gap-3 py-3">
            <Blocked blocked={blocked} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Blocked({ blocked: { id, giver, blockedAt } }: { blocked: BlockedGiver }) {
  const texts = useT()
  const t = giftsTexts.useT().gifts
  const language = useLanguage()
  const { walletMismatch } = useSession()
  const name = usePersonName()(giver)
  const unblocking = useUnblockGiver({
    onSuccess: () => toast({ title: t.unblocked }),
    onError: (error) => toast({ title: t.unblockFailed, description: errorText(error, texts), variant: 'destructive' }),
  })
  return (
    <>
      <PersonPicture person={giver} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">{name}</p>
        <p className="text-xs text-muted-foreground">
          <time dateTime={blockedAt}>{t.blockedSince(shortDate(blockedAt, language))}</time>
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={t.unblockOf(name)}
        disabled={walletMismatch}
        aria-disabled={unblocking.isPending}
        onClick={() => !unblocking.isPending && unblocking.mutate(id)}
      >
        {unblocking.isPending && <Spinner />}
        <span>{t.unblock}</span>
      </Button>
    </>
  )
}
