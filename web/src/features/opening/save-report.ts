import { downloadText } from '@/lib/share'
import type { Run } from './run'

/** Saves a run with a server's fault as a file: its requests, answers and receipts. */
export function saveReport(run: Run): void {
  downloadText(`kaibao-report-${run.attempt.commitment.slice(0, 12)}.json`, JSON.stringify(run, null, 2))
}
