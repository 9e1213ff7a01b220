import type { ReactNode } from 'react'
import { useT } from '@/i18n'
import { config } from '@/lib/config'
import { ChatMark, SocialMark } from './brand-marks'
import { Button } from './button'

/** Links to the community channels that are configured. */
export function CommunityLinks({ className }: { className?: string }) {
  const t = useT().shell
  if (!config.social && !config.chat) return null
  return (
    <div className={className}>
      {config.social && <ExternalIcon href={config.social} label={t.social} icon={<SocialMark />} />}
      {config.chat && <ExternalIcon href={config.chat} label={t.chat} icon={<ChatMark />} />}
    </div>
  )
}

function ExternalIcon({ href, label, icon }: { href: string; label: string; icon: ReactNode }) {
  return (
    <Button asChild variant="ghost" size="icon">
      <a href={href} target="_blank" rel="noreferrer" aria-label={label}>
        {icon}
      </a>
    </Button>
  )
}
