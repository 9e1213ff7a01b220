import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { cn } from '@/lib/cn'
import { copyText } from '@/lib/share'
import { Button } from '@/ui/button'

export interface CopyWords {
  copy: string
  copied: string
  copyFailed: string
}

/** The command that checks the whole log of this site. */
export function verifyLogCommand(): string {
  return `kaibao verify log ${window.location.origin}`
}

interface CodeLineProps {
  text: string
  words: CopyWords
  /** What the button copies, for who cannot see it. */
  label: string
  className?: string
}

/** Something to type into a shell, with a button that copies it. */
export function CodeLine({ text, words, label, className }: CodeLineProps) {
  return (
    <div className={cn('flex items-start gap-1 rounded-lg border bg-background py-1.5 pr-1.5 pl-3', className)}>
      <pre
        // Long commands scroll sideways, and then the keyboard must get there too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="min-w-0 flex-1 overflow-x-auto py-1 font-mono text-[0.71875rem] leading-5"
      >
        <code>{text}</code>
      </pre>
      <CopyButton text={text} words={words} label={label} />
    </div>
  )
}

const thanksMs = 2000

function CopyButton({ text, words, label }: Omit<CodeLineProps, 'className'>) {
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
      onClick={() => {
        setCopied(true)
        void copyText(text, words.copied, words.copyFailed)
      }}
    >
      {copied ? <Check aria-hidden className="text-positive-text" /> : <Copy aria-hidden />}
    </Button>
  )
}
