import { ExternalLink } from 'lucide-react'
import { certificateUrl } from './certificate'
import { cn } from '@/lib/cn'

interface CertificateLinkProps {
  certType: string
  certNumber: string
  className?: string
}

/** Leads to the grader's public look-up; nothing for what nobody has graded. */
export function CertificateLink({ certType, certNumber, className }: CertificateLinkProps) {
  const url = certificateUrl(certType, certNumber)
  if (!url) return null
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className={cn(
        'inline-flex items-center gap-1.5 text-sm text-gold-text underline underline-offset-4 tabular-nums',
        className,
      )}
    >
      {certType} #{certNumber}
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  )
}
