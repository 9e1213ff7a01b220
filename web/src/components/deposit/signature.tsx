import { shortAddress } from '@/lib/format'
import { CopyButton } from '@/components/ui/copy-button'
import { depositsTexts } from './texts'

/** A shortened transaction signature; the button copies all of it. */
export function Signature({ of }: { of: string }) {
  const t = depositsTexts.useT()
  return (
    <span className="-my-1.5 -mr-2 inline-flex items-center gap-0.5">
      <span className="font-mono text-[0.8125rem] font-normal" title={of}>
        {shortAddress(of, 6, 6)}
      </span>
      <CopyButton text={of} words={t} label={t.transaction} />
    </span>
  )
}
