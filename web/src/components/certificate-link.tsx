import { ExternalLink } from 'lucide-react'
import { useT } from '@/i18n'
import { certificateUrl, isSample } from './certificate'
import { cn } from '@/lib/cn'

interface CertificateLinkProps {
  grader: string
  certNumber: string
  className?: string
}

/** A certificate with a link to the grader's page. Samples have no link; ungraded items have no certificate. */
export function CertificateLink({ grader, certNumber, className }: CertificateLinkProps) {
  const t = useT()
  if (isSample(certNumber)) {
    return (
      <span className={cn('base:text-sm tabular-nums', className)}>
        {`${grader} #${certNumber} · ${t.catalogue.sample}`}
      </span>
    )
  }
  const url = certificateUrl(grader, certNumber)
  if (!url) return null
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className={cn(
        'inline-flex items-center gap-1.5 base:text-sm text-gold-text underline underline-offset-4 tabular-nums',
        className,
      )}
    >
      <span>{`${grader} #${certNumber}`}</span>
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  )
}
