import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useSaveProfile } from '@/api/profile'
import type { User } from '@/contract/types'
import { useLanguage, useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Copyable } from '@/components/ui/copyable'
import { Notice } from '@/components/ui/notice'
import { Switch } from '@/components/ui/switch'
import { HandleForm } from './handle-form'
import { ShowcaseEditor } from './showcase-editor'
import { profilesTexts } from './texts'

/** The settings of the visitor's public profile: handle, visibility and showcase. */
export default function ProfileSettings() {
  const t = profilesTexts.useT().settings
  const { user } = useSession()
  if (!user) return null
  return (
    <section id="profile" aria-labelledby="profile-heading" className="panel mb-6 scroll-mt-6 rounded-2xl px-6 py-5">
      <h2 id="profile-heading" className="text-lg font-semibold">
        {t.heading}
      </h2>
      <p className="mt-1 mb-4 max-w-prose text-sm text-muted-foreground">{t.text}</p>
      {user.frozen ? <Notice>{t.frozen}</Notice> : user.pagesHidden && <Notice>{t.hidden}</Notice>}
      <div className="space-y-6">
        <HandleForm key={user.id} user={user} />
        <PublicSwitch user={user} />
        <ShowcaseEditor key={`showcase ${user.id}`} saved={user.showcase} />
      </div>
    </section>
  )
}

function PublicSwitch({ user }: { user: User }) {
  const texts = useT()
  const language = useLanguage()
  const t = profilesTexts.useT().settings
  const { walletMismatch } = useSession()
  const saving = useSaveProfile({
    onSuccess() {},
    onError: (error) => toast({ title: t.publicFailed, description: errorText(error, texts), variant: 'destructive' }),
  })
  const saved = saving.isPending ? saving.variables.public : user.public
  return (
    <div className="max-w-prose space-y-3">
      <Switch
        label={t.public}
        hint={user.handle ? t.publicHint : t.needsHandle}
        checked={Boolean(saved)}
        disabled={!user.handle || walletMismatch}
        busy={saving.isPending}
        onChange={(on) => saving.mutate({ public: on, ...(on && { language }) })}
      />
      {user.public && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 pl-7">
          <Button asChild variant="secondary" size="sm">
            <Link to="/u/$handle" params={{ handle: user.handle }}>
              <ExternalLink aria-hidden />
              <span>{t.view}</span>
            </Link>
          </Button>
          <Copyable text={`${location.origin}/u/${user.handle}`} words={t} label={t.link} />
        </p>
      )}
    </div>
  )
}
