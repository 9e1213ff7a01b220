import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '@/lib/share'
import { Button } from './button'

export interface CopyWords {
  copy: string
  copied: string
  copyFailed: string
}

interface CopyButtonProps {
  text: string
  words: CopyWords
  /** What is copied, for screen readers. */
  label: string
}

const thanksMs = 2000

/** Copies a text to the clipboard and shows a check mark once it is there. */
export function CopyButton({ text, words, label }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), thanksMs)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-label={`${words.copy}: ${label}`}
      className="size-8 shrink-0 px-0"
      onClick={async () => setCopied(await copyText(text, words.copied, words.copyFailed))}
    >
      {copied ? <Check aria-hidden className="text-positive-text" /> : <Copy aria-hidden />}
    </Button>
  )
}
