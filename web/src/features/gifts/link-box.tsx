import { Copy } from 'lucide-react'
import { useId } from 'react'
import { giftLink } from '@/lib/gift-secret'
import { copyText } from '@/lib/share'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { giftsTexts } from './texts'

interface LinkBoxProps {
  giftId: string
  secret: string
}

/** The link of a gift, with a copy button. */
export function LinkBox({ giftId, secret }: LinkBoxProps) {
  const t = giftsTexts.useT().gifts
  const id = useId()
  const link = giftLink(giftId, secret)
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {t.link}
      </label>
      <div className="flex gap-2">
        <Input
          id={id}
          readOnly
          value={link}
          onFocus={({ currentTarget }) => currentTarget.select()}
          aria-describedby={`${id}-note`}
          className="h-10 min-w-0 flex-1 font-mono text-xs"
        />
        <Button onClick={() => void copyText(link, t.copied, t.copyFailed)}>
          <Copy aria-hidden />
          <span>{t.copyLink}</span>
        </Button>
      </div>
      <p id={`${id}-note`} className="mt-1.5 text-[0.8125rem] text-pretty text-muted-foreground">
        {t.linkSecret}
      </p>
    </div>
  )
}
