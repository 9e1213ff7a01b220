import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileSearch, SearchX } from 'lucide-react'
import { proofsTexts } from './texts'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { ResultSkeleton } from './skeleton'
import { useCase } from './use-case'
import { verifierQuery } from './verifier-query'

/** Everything about one open, checked from what this site publishes. */
export function ProofOf({ openId }: { openId: string }) {
  const t = proofsTexts.useT().verify.proof
  const found = useCase(openId)
  const verifier = useQuery(verifierQuery)
  return (
    <Loaded query={found} failed={t.failed} skeleton={<ResultSkeleton />} unknown={<Unknown />}>
      {(checked) => (
        <Loaded query={verifier} failed={t.failed} skeleton={<ResultSkeleton />}>
          {({ Result }) => <Result checked={checked} />}
        </Loaded>
      )}
    </Loaded>
  )
}

function Unknown() {
  const t = proofsTexts.useT().verify.proof
  return (
    <EmptyState
      icon={<SearchX />}
      title={t.unknown}
      text={t.unknownText}
      action={
        <Button asChild variant="secondary">
          <Link to="/verify">
            <FileSearch aria-hidden />
            <span>{t.checkFile}</span>
          </Link>
        </Button>
      }
      className="panel rounded-2xl"
    />
  )
}
