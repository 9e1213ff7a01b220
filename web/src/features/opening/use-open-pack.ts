import { type Handlers, type KeyedRequest, useAct } from '@/api/act'
import { openPack, type OpenRequest } from '@/api/opens'
import { ApiError } from '@/contract/error'
import type { OpenResult } from '@/contract/types'
import { saveSeenCommitment, seenCommitment } from '@/lib/seen-commitments'
import { useSession } from '@/lib/session'
import { forgetAttempt, replaceAttempt, saveAttempt } from './attempt'
import { holdOpen, releaseOpen } from './open-lock'
import { keepUnshown } from './unshown'

export interface Opened {
  result: OpenResult
  /** Another tab already received this response to the same request. */
  repeated: boolean
}

/** Opens a pack. Repeating a request is safe: the server draws and charges once. The attempt is kept until a response. */
export function useOpenPack(handlers: Handlers<Opened>) {
  const address = useSession().address ?? ''
  return useAct('open', (request: OpenRequest, keyed) => send(address, request, keyed), handlers)
}

async function send(address: string, request: OpenRequest, keyed: KeyedRequest): Promise<Opened> {
  saveAttempt(address, { ...request, sent: true })
  holdOpen(request.commitment)
  try {
    const result = await openPack(request, keyed)
    forgetAttempt(address, request)
    const repeated = seenCommitment(result.openId) !== undefined
    saveSeenCommitment(result.openId, request.commitment)
    keepUnshown(address, result)
    return { result, repeated }
  } catch (error) {
    releaseOpen(request.commitment)
    afterRefusal(address, request, error)
    throw error
  }
}

/** Discards the attempt only if the server can never accept it. Other failures keep its seed for a retry. */
function afterRefusal(address: string, request: OpenRequest, error: unknown): void {
  if (!(error instanceof ApiError)) return
  if (error.code === 'commitment_changed' || error.code === 'manifest_changed') {
    replaceAttempt(address, { packId: request.packId, ...currentTerms(error.details, request) })
  } else if (error.code === 'idempotency_mismatch') {
    forgetAttempt(address, request)
  }
}

function currentTerms(details: unknown, request: OpenRequest): Pick<OpenRequest, 'commitment' | 'manifest'> {
  const current = (details ?? {}) as Partial<Record<'commitment' | 'manifest', unknown>>
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise)
  return {
    commitment: text(current.commitment, request.commitment),
    manifest: text(current.manifest, request.manifest),
  }
}
