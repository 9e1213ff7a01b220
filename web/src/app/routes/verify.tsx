import { useNavigate } from '@tanstack/react-router'
import { CheckFile } from '@/features/fairness/check'
import { LookUp } from '@/features/fairness/look-up'
import { verifyTexts } from '@/i18n/verify'
import { PageHeader } from '@/ui/page-header'

export { verifyTexts as texts }

export function VerifyPage() {
  const t = verifyTexts.useT().check
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <CheckFile lookUp={<LookUp onOpenId={(openId) => void navigate({ to: '/verify/$openId', params: { openId } })} />} />
    </>
  )
}
