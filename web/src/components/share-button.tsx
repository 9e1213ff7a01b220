import { Share2 } from 'lucide-react'
import { copyText, shareLink } from '@/lib/share'
import { Button } from '@/components/ui/button'

interface ShareButtonProps {
  /** Title of what is shared. */
  title: string
  /** Path of the page. */
  path: string
  words: { share: string; copied: string; copyFailed: string }
}

/** Shares a page with the device's share sheet, or copies its link where there is none. */
export function ShareButton({ title, path, words }: ShareButtonProps) {
  async function share() {
    const url = location.origin + path
    if (!(await shareLink(title, url))) await copyText(url, words.copied, words.copyFailed)
  }
  return (
    <Button variant="secondary" onClick={() => void share()}>
      <Share2 aria-hidden />
      <span>{words.share}</span>
    </Button>
  )
}
