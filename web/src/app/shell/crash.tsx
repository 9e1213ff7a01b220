import type { ErrorComponentProps } from '@tanstack/react-router'
import { useT } from '@/i18n'
import { ErrorState } from '@/ui/error-state'

/** A page whose code failed to load or to run; the shell around it stays. */
export function Crash({ error, reset }: ErrorComponentProps) {
  const t = useT()
  return <ErrorState title={t.shell.crash.title} error={error} retry={reset} />
}
