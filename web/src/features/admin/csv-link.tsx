import { Download } from 'lucide-react'
import { Button } from '@/components/ui/button'

/** Downloads a list as a CSV file. */
export function CsvLink({ url, label }: { url: string; label: string }) {
  return (
    <Button asChild variant="secondary" className="h-11">
      <a href={url} download>
        <Download aria-hidden />
        <span>{label}</span>
      </a>
    </Button>
  )
}
