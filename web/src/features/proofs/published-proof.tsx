import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileSearch, SearchX } from 'lucide-react'
import { proofsTexts } from './texts'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { ResultSkeleton } from './skeleton'
import { useProofBundle } from './use-proof-bundle'
import { verifierQuery } from './verifier-query'

/** The proof of an open, fetched and verified. */
export function PublishedProof({ openId }: { openId: string }) {
  const t = proofsTexts.useT().verify.proof
  const query = useProofBundle(openId)
  const verifier = useQuery(verifierQuery)
  return (
    <Loaded query={query} failed={t.failed} skeleton={<ResultSkeleton />} unknown={<ProofNotFound />}>
      {(bundle) => (
        <Loaded query={verifier} failed={t.failed} skeleton={<ResultSkeleton />}>
          {({ ProofResult }) => <ProofResult bundle={bundle} />}
        </Loaded>
      )}
    </Loaded>
  )
}

function ProofNotFound() {
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
