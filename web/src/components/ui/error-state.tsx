import { CircleAlert, RotateCw } from 'lucide-react'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { Button } from './button'

interface ErrorStateProps {
  /** What failed, such as "Couldn’t load your limits". */
  title: string
  error: unknown
  retry: () => void
}

export function ErrorState({ title, error, retry }: ErrorStateProps) {
  const t = useT()
  return (
    <div role="alert" className="flex flex-col items-center gap-1.5 px-6 py-16 text-center">
      <CircleAlert aria-hidden className="mb-2 size-8 text-destructive-text" />
      <h2 className="text-base font-semibold">{title}</h2>
      <p className="max-w-sm text-sm text-muted-foreground">{errorText(error, t)}</p>
      <Button variant="secondary" className="mt-4" onClick={retry}>
        <RotateCw aria-hidden />
        <span>{t.shell.tryAgain}</span>
      </Button>
    </div>
  )
}
