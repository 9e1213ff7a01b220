import { CopyButton, type CopyWords } from './copy-button'

interface CopyableProps {
  text: string
  words: CopyWords
  /** What is copied, for screen readers. */
  label: string
}

/** An id in full, with a copy button. */
export function Copyable({ text, words, label }: CopyableProps) {
  return (
    <span className="-my-1.5 inline-flex max-w-full items-center gap-0.5">
      <span className="min-w-0 font-mono text-xs font-normal break-all">{text}</span>
      <CopyButton text={text} words={words} label={label} />
    </span>
  )
}
