import { FileCheck2 } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { proofsTexts } from './texts'
import { cn } from '@/lib/cn'

interface DropZoneProps {
  /** Everything needed to check a file is loaded, so the server may be down. */
  ready: boolean
  onFile: (file: File) => void
}

/** Takes a file, dropped or picked. A file input covers the zone, so that keyboards can use it. */
export function DropZone({ ready, onFile }: DropZoneProps) {
  const t = proofsTexts.useT().verify.check
  const [isOver, setIsOver] = useState(false)
  function drag(event: DragEvent, inside: boolean) {
    event.preventDefault()
    setIsOver(inside)
  }
  function pick(files: FileList | null) {
    const file = files?.[0]
    if (file) onFile(file)
  }
  return (
    <div
      className={cn(
        'relative flex flex-col items-center justify-center gap-1.5 rounded-2xl border-2 border-dashed px-6 py-16 text-center transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring hover:border-gold-text',
        isOver ? 'border-gold-text bg-gold/10' : 'border-line-strong bg-card/60',
      )}
    >
      <FileCheck2 aria-hidden className="mb-2 size-9 text-gold-text" strokeWidth={1.5} />
      <p className="font-semibold">{isOver ? t.release : t.drop}</p>
      <p className="text-sm text-muted-foreground">{t.pick}</p>
      <p role="status" className="mt-1 h-5 text-sm text-positive-text">
        {ready && t.ready}
      </p>
      <input
        type="file"
        accept=".json,.txt,application/json,text/plain"
        aria-label={t.file}
        className="absolute inset-0 cursor-pointer opacity-0"
        onDragOver={(event) => drag(event, true)}
        onDragLeave={(event) => drag(event, false)}
        onDrop={(event) => {
          drag(event, false)
          pick(event.dataTransfer.files)
        }}
        onChange={({ target }) => {
          pick(target.files)
          // Allow the same file to be picked again after it changed.
          target.value = ''
        }}
      />
    </div>
  )
}
