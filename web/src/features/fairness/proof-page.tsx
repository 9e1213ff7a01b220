import { Link } from '@tanstack/react-router'
import { FileSearch, SearchX } from 'lucide-react'
import { verifyTexts } from './texts/verify'
import { ApiError } from '@/lib/contract/error'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorState } from '@/ui/error-state'
import { LazyResult, useVerifierSoon } from './lazy-result'
import { ResultSkeleton } from './skeleton'
import { useCase } from './use-case'

/** Everything about one open, checked from what this site publishes. */
export function ProofOf({ openId }: { openId: string }) {
  const t = verifyTexts.useT().proof
  const { data, error, retry } = useCase(openId)
  useVerifierSoon()
  if (error instanceof ApiError && error.status === 404) return <Unknown />
  if (error) return <ErrorState title={t.failed} error={error} retry={retry} />
  return data ? <LazyResult checked={data} /> : <ResultSkeleton />
}

function Unknown() {
  const t = verifyTexts.useT().proof
  return (
    <EmptyState
      icon={<SearchX />}
      title={t.unknown}
      text={t.unknownText}
      action={
        <Button asChild variant="secondary">
          <Link to="/verify">
            <FileSearch aria-hidden />
            {t.checkFile}
          </Link>
        </Button>
      }
      className="panel rounded-2xl"
    />
  )
}
