import { LockKeyhole } from 'lucide-react'
import type { Pack } from '@/contract/types'
import { Badge } from '@/components/ui/badge'
import { sealedPromise } from './promise'
import type * as en from './texts/en'

/** Marks a sealed pack; its tooltip says what that means. */
export function SealedMark({ texts: t, sealed }: { texts: typeof en.sealed; sealed: NonNullable<Pack['sealed']> }) {
  return (
    <Badge
      variant="outline"
      title={sealedPromise(t, sealed.leadSeconds)}
      className="border-gold/60 bg-background/85 text-gold-text"
    >
      <LockKeyhole aria-hidden />
      <span>{sealed.required ? t.mark : t.markChoice}</span>
    </Badge>
  )
}
