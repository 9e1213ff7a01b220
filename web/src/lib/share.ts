import { toast } from '@/lib/toast'

/** Copies a text to the clipboard, shows a toast with the result, and returns whether it worked. */
export async function copyText(text: string, done: string, failed: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    toast({ title: failed, variant: 'destructive' })
    return false
  }
  toast({ title: done })
  return true
}

/** Whether the device has a share sheet. */
export const canShareLinks = () => 'share' in navigator

/** Opens the device's share sheet; false if there is none or it failed, so that the caller can copy the link instead. */
export async function shareLink(title: string, url: string): Promise<boolean> {
  if (!canShareLinks()) return false
  try {
    await navigator.share({ title, url })
  } catch (error) {
    // Closing the sheet is a decision, not a failure.
    return error instanceof DOMException && error.name === 'AbortError'
  }
  return true
}

/** Saves a text as a file on the visitor's device. */
export function downloadText(name: string, text: BlobPart): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
