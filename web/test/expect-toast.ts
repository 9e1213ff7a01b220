import { renderHook, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { useToast } from '@/lib/toast'

/** Waits for a toast. Renders the hook only once, because each change of the document repeats the check. */
export async function expectToast(title: string, description?: string): Promise<void> {
  const { result } = renderHook(useToast)
  await waitFor(() => expect(result.current).toMatchObject({ title, ...(description && { description }) }))
}
