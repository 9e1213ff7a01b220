import { cn } from '@/lib/cn'
import { CopyButton, type CopyWords } from '@/components/ui/copy-button'

/** The command that verifies this site's whole log. */
export function verifyLogCommand(): string {
  return `kaibao verify log ${window.location.origin}`
}

interface CodeLineProps {
  text: string
  words: CopyWords
  /** Tells screen readers what the button copies. */
  label: string
  className?: string
}

/** A shell command with a copy button. */
export function CodeLine({ text, words, label, className }: CodeLineProps) {
  return (
    <div className={cn('flex items-start gap-1 rounded-lg border bg-background py-1.5 pr-1.5 pl-3', className)}>
      <pre
        // Long commands scroll sideways: keyboards need to reach them.
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
