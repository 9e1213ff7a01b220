import { Link } from '@tanstack/react-router'
import { Button } from '@/components/ui/button'
import { LinkBox } from './link-box'
import { giftsTexts } from './texts'

interface LinkStepProps {
  giftId: string
  secret: string
  onClose: () => void
}

/** The link of a gift that was just given. */
export function LinkStep({ giftId, secret, onClose }: LinkStepProps) {
  const t = giftsTexts.useT().give
  return (
    <div className="space-y-5">
      <LinkBox giftId={giftId} secret={secret} />
      <p className="rounded-xl bg-muted px-3.5 py-3 text-sm text-pretty">{t.linkKept}</p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button asChild variant="ghost">
          <Link to="/gifts" search={{ side: 'given' }} onClick={onClose}>
            {t.toGifts}
          </Link>
        </Button>
        <Button variant="secondary" onClick={onClose}>
          {t.close}
        </Button>
      </div>
    </div>
  )
}
