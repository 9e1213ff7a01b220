import { FileUp } from 'lucide-react'
import { adminTexts } from '../texts'

interface FileChoiceProps {
  /** Name of the chosen file. */
  name: string | undefined
  onChoose: (file: File) => void
}

/** A file input that covers the whole box, so that it also accepts dropped files. */
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
