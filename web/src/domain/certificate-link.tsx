import { ExternalLink } from 'lucide-react'
import { certificateUrl } from './certificate'
import { cn } from '@/lib/cn'

interface CertificateLinkProps {
  grader: string
  certNumber: string
  className?: string
}

/** Leads to the grader's public look-up; nothing for what nobody has graded. */
export function CertificateLink({ grader, certNumber, className }: CertificateLinkProps) {
  const url = certificateUrl(grader, certNumber)
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
      {grader} #{certNumber}
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  )
}
