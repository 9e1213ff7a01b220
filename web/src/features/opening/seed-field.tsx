import { Shuffle } from 'lucide-react'
import { useId } from 'react'
import { useOpeningT } from './texts'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Tooltip } from '@/components/ui/tooltip'
import { isSeed, randomSeed } from './attempt'

interface SeedFieldProps {
  seed: string | undefined
  /** A request was sent with this seed, so it's final. */
  locked: boolean
  onChange: (seed: string) => void
}

/** The user's own seed. */
export function SeedField({ seed = '', locked, onChange }: SeedFieldProps) {
  const t = useOpeningT().opening.intro
  const id = useId()
  const invalid = !locked && !isSeed(seed)
  return (
    <div className="p-4">
      <label htmlFor={id} className="text-sm font-semibold">
        {t.seed}
      </label>
      <div className="mt-1.5 flex gap-2">
        <Input
          id={id}
          value={seed}
          readOnly={locked}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={invalid}
          aria-describedby={`${id}-help`}
          onChange={(event) => onChange(event.target.value)}
          className="h-9 px-2.5 font-mono text-xs"
        />
        <Tooltip text={t.newSeed}>
          <Button
            variant="secondary"
            size="icon"
            aria-label={t.newSeed}
            disabled={locked}
            onClick={() => onChange(randomSeed())}
          >
            <Shuffle aria-hidden />
          </Button>
        </Tooltip>
      </div>
      <p id={`${id}-help`} className="mt-1.5 text-xs leading-relaxed text-muted-foreground">
        {invalid ? <span className="text-destructive-text">{t.seedInvalid}</span> : t.seedHelp}
      </p>
    </div>
  )
}
