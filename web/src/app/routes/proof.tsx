import { Link, useParams } from '@tanstack/react-router'
import { FileSearch } from 'lucide-react'
import { PublishedProof } from '@/features/proofs/published-proof'
import { proofsTexts } from '@/features/proofs/texts'
import { Button } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'

export function ProofPage() {
  const t = proofsTexts.useT().verify.proof
  const { openId } = useParams({ from: '/verify/$openId' })
  return (
    <>
      <PageHeader title={t.title} text={t.text}>
        <Button asChild variant="ghost">
          <Link to="/verify">
            <FileSearch aria-hidden />
            <span>{t.checkFile}</span>
          </Link>
        </Button>
      </PageHeader>
      <PublishedProof key={openId} openId={openId} />
    </>
  )
}
