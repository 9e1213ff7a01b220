import { type Handlers, type Keyed, useAct } from '@/api/act'
import { openPack, type OpenOrder } from '@/api/open-pack'
import { ApiError } from '@/lib/contract/error'
import type { OpenResult } from '@/lib/contract/types'
import { rememberSeal } from '@/lib/seals'
import { useSession } from '@/lib/session'
import { forgetAttempt, replaceAttempt, saveAttempt } from './attempt'

/**
 * Opens a pack. The same order may be sent any number of times: the server draws and charges once.
 * Its attempt is kept until it is answered, and what the next one is made of with it.
 */
export function useOpenPack(handlers: Handlers<OpenResult>) {
  const address = useSession().address ?? ''
  return useAct('open', (order: OpenOrder, keyed) => send(address, order, keyed), handlers)
}

async function send(address: string, order: OpenOrder, keyed: Keyed): Promise<OpenResult> {
  saveAttempt(address, { ...order, sent: true })
  try {
    const result = await openPack(order, keyed)
    forgetAttempt(address, order)
    rememberSeal(result.openId, order.commitment)
    return result
  } catch (error) {
    afterRefusal(address, order, error)
    throw error
  }
}

/** Only an answer that rules this order out for ever ends it. Every other failure keeps its seed. */
function afterRefusal(address: string, order: OpenOrder, error: unknown): void {
  if (!(error instanceof ApiError)) return
  if (error.code === 'commitment_changed' || error.code === 'manifest_changed') {
    replaceAttempt(address, { packId: order.packId, ...currentTerms(error.details, order) })
  } else if (error.code === 'idempotency_mismatch') {
    forgetAttempt(address, order)
  }
}

function currentTerms(details: unknown, order: OpenOrder): Pick<OpenOrder, 'commitment' | 'manifest'> {
  const current = (details ?? {}) as Partial<Record<'commitment' | 'manifest', unknown>>
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise)
  return {
    commitment: text(current.commitment, order.commitment),
    manifest: text(current.manifest, order.manifest),
  }
}
