import { Link, useNavigate } from '@tanstack/react-router'
import { CheckFile } from '@/features/proofs/check-file'
import { OpenIdForm } from '@/features/proofs/open-id-form'
import { WitnessForm } from '@/features/proofs/witness-form'
import { proofsTexts } from '@/features/proofs/texts'
import { PageHeader } from '@/components/ui/page-header'

export function VerifyPage() {
  const t = proofsTexts.useT().verify.check
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <CheckFile>
        <OtherWays />
      </CheckFile>
    </>
  )
}

function OtherWays() {
  const t = proofsTexts.useT().verify.check
  const navigate = useNavigate()
  return (
    <div className="grid gap-5 xl:grid-cols-2">
      <OpenIdForm onOpenId={(openId) => void navigate({ to: '/verify/$openId', params: { openId } })} />
      <section aria-labelledby="where" className="panel rounded-2xl p-5">
        <h2 id="where" className="font-semibold">
          {t.where}
        </h2>
        <p className="mt-0.5 text-sm text-pretty text-muted-foreground">{t.whereText}</p>
        <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm text-gold-text underline underline-offset-4">
          <Link to="/my-opens">{t.myOpens}</Link>
          <Link to="/fairness">{t.how}</Link>
        </p>
      </section>
      <WitnessForm />
    </div>
  )
}
