import { FileUp } from 'lucide-react'
import { adminTexts } from '../texts'

interface FileChoiceProps {
  /** Of the file that was chosen. */
  name: string | undefined
  onChoose: (file: File) => void
}

/** Takes a file that is chosen, or dropped: the whole field is the input, which takes what falls onto it. */
export function FileChoice({ name, onChoose }: FileChoiceProps) {
  const t = adminTexts.useT().importing
  return (
    <label className="relative flex flex-col items-center gap-1 rounded-xl border border-dashed border-line-strong px-4 py-6 text-center text-sm focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-ring hover:border-muted-foreground">
      <FileUp aria-hidden className="size-6 text-muted-foreground" />
      <span className="font-medium">{name ? t.chooseAnother : t.choose}</span>
      <span className="text-muted-foreground">{name ?? t.formats}</span>
      <input
        type="file"
        accept=".csv,.json"
        className="absolute inset-0 cursor-pointer opacity-0"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) onChoose(file)
          target.value = '' // so that the same file can be chosen again once it is corrected
        }}
      />
    </label>
  )
}
