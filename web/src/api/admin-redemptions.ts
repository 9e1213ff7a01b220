import type { components, paths } from '@/contract/schema'
import type { OpenedClaim, QueuedClaim } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'
import { pagedQuery } from './paged-query'

export interface AdminClaimFilter {
  state?: QueuedClaim['state'] | undefined
  search?: string | undefined
}

const definedOnly = ({ state, search }: AdminClaimFilter) => ({ ...(state && { state }), ...(search && { search }) })

/** All users' shipments that match a filter, oldest first, paged. */
export const adminClaimsQuery = (filter: AdminClaimFilter) =>
  pagedQuery([...keys.adminClaims, filter], (query, options) =>
    api.GET('/api/admin/redemptions', { params: { query: { ...query, ...definedOnly(filter) } }, ...options }),
  )

/** CSV download URL of the same list. */
export function claimsCsvUrl(filter: AdminClaimFilter): string {
  return `/api/admin/redemptions?${new URLSearchParams({ format: 'csv', ...definedOnly(filter) }).toString()}`
}

/** Reads claims with their addresses, which the admin log records. */
export function useOpenClaims(handlers: Handlers<{ claims: OpenedClaim[] }>) {
  return useAct(
    'openClaims',
    (body: { claims: string[] }, keyed) => read(api.POST('/api/admin/redemptions/open', { body, ...keyed })),
    handlers,
  )
}

export type ClaimStep = NonNullable<
  paths['/api/admin/redemptions/step']['post']['requestBody']
>['content']['application/json']

export type Advanced = components['schemas']['Advanced']

export function useStepClaims(handlers: Handlers<Advanced>) {
  return useAct(
    'stepClaims',
    (body: ClaimStep, keyed) => read(api.POST('/api/admin/redemptions/step', { body, ...keyed })),
    handlers,
  )
}
