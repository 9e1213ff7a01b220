import { Button } from '@/components/ui/button'
import { adminTexts } from '../texts'
import { type Encoding, encodings, type UnknownEncoding } from './item-file'

interface EncodingChoiceProps {
  samples: UnknownEncoding['samples']
  onChoose: (encoding: Encoding) => void
}

/** Shows sample cells in each encoding and asks which looks right. */
export function EncodingChoice({ samples, onChoose }: EncodingChoiceProps) {
  const t = adminTexts.useT().importing.encoding
  return (
    <section aria-label={t.title}>
      <h3 className="text-sm font-semibold">{t.title}</h3>
      <p className="text-sm text-muted-foreground">{t.text}</p>
      <ul className="mt-3 grid gap-3 sm:grid-cols-2">
        {encodings.map((encoding) => (
          <li key={encoding} className="flex flex-col gap-3 rounded-xl bg-muted p-3 text-sm">
            <ul className="grow space-y-1 wrap-anywhere" translate="no">
              {samples[encoding].map((cell, n) => (
                <li key={n}>{cell}</li>
              ))}
            </ul>
            <Button variant="secondary" size="sm" className="self-start" onClick={() => onChoose(encoding)}>
              {t.choose(t.names[encoding])}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
