import { renderHook, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { useToast } from '@/lib/toast'

/** Waits for a toast. Rendered once: what changes the document while it is waited for is waited for again, for ever. */
export async function toasted(title: string, description?: string): Promise<void> {
  const { result } = renderHook(useToast)
  await waitFor(() => expect(result.current).toMatchObject({ title, ...(description && { description }) }))
}
