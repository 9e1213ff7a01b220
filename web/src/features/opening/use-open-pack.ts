import { type Handlers, type KeyedRequest, useAct } from '@/api/act'
import { openPack, type OpenRequest } from '@/api/opens'
import { ApiError } from '@/contract/error'
import type { OpenResult } from '@/contract/types'
import { saveSeal, savedSeal } from '@/lib/seals'
import { useSession } from '@/lib/session'
import { forgetAttempt, replaceAttempt, saveAttempt } from './attempt'
import { holdOpen, letGoOfOpen } from './open-lock'
import { keepUnshown } from './unshown'

export interface Opened {
  result: OpenResult
  /** Another tab of this browser got this answer before: both sent the same order. */
  repeated: boolean
}

/**
 * Opens a pack. The same order may be sent any number of times: the server draws and charges once.
 * Its attempt is kept until it is answered, and what the next one is made of with it.
 */
export function useOpenPack(handlers: Handlers<Opened>) {
  const address = useSession().address ?? ''
  return useAct('open', (order: OpenRequest, keyed) => send(address, order, keyed), handlers)
}

async function send(address: string, order: OpenRequest, keyed: KeyedRequest): Promise<Opened> {
  saveAttempt(address, { ...order, sent: true })
  holdOpen(order.commitment)
  try {
    const result = await openPack(order, keyed)
    forgetAttempt(address, order)
    const repeated = savedSeal(result.openId) !== undefined
    saveSeal(result.openId, order.commitment)
    keepUnshown(address, result)
    return { result, repeated }
  } catch (error) {
    letGoOfOpen(order.commitment)
    afterRefusal(address, order, error)
    throw error
  }
}

/** Only an answer that rules this order out for ever ends it. Every other failure keeps its seed. */
function afterRefusal(address: string, order: OpenRequest, error: unknown): void {
  if (!(error instanceof ApiError)) return
  if (error.code === 'commitment_changed' || error.code === 'manifest_changed') {
    replaceAttempt(address, { packId: order.packId, ...currentTerms(error.details, order) })
  } else if (error.code === 'idempotency_mismatch') {
    forgetAttempt(address, order)
  }
}

function currentTerms(details: unknown, order: OpenRequest): Pick<OpenRequest, 'commitment' | 'manifest'> {
  const current = (details ?? {}) as Partial<Record<'commitment' | 'manifest', unknown>>
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise)
  return {
    commitment: text(current.commitment, order.commitment),
    manifest: text(current.manifest, order.manifest),
  }
}
