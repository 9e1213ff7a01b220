import { Download } from 'lucide-react'
import { Button } from '@/components/ui/button'

/** Leads to what is listed as a file. */
export function FileLink({ href, label }: { href: string; label: string }) {
  return (
    <Button asChild variant="secondary">
      <a href={href} download>
        <Download aria-hidden />
        <span>{label}</span>
      </a>
    </Button>
  )
}
