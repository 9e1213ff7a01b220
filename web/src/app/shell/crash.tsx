import type { ErrorComponentProps } from '@tanstack/react-router'
import { useT } from '@/i18n'
import { ErrorState } from '@/ui/error-state'

/** A page whose code failed to load or to run; the shell around it stays. Code that failed to load is only fetched again by a new page. */
export function Crash({ error }: ErrorComponentProps) {
  const t = useT()
  return <ErrorState title={t.shell.crash.title} error={error} retry={() => window.location.reload()} />
}
