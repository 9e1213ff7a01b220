import type { ErrorComponentProps } from '@tanstack/react-router'
import { useT } from '@/i18n'
import { ErrorState } from '@/components/ui/error-state'

/** A page that failed to render; the shell around it stays. */
export function Crash({ error }: ErrorComponentProps) {
  const t = useT()
  return <ErrorState title={t.shell.crash.title} error={error} retry={() => window.location.reload()} />
}
