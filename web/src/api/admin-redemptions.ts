import type { components, paths } from '@/contract/schema'
import type { OpenedClaim } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'
import { definedOnly, listCsvUrl, type ListFilter } from './list-filter'
import { pagedQuery } from './paged-query'

export type AdminClaimFilter = ListFilter<'/api/admin/redemptions'>

/** All users' shipments that match a filter, oldest first, paged. */
export const adminClaimsQuery = (filter: AdminClaimFilter) =>
  pagedQuery([...keys.adminClaims, filter], (query, options) =>
    api.GET('/api/admin/redemptions', { params: { query: { ...query, ...definedOnly(filter) } }, ...options }),
  )

/** CSV download URL of the same list. */
export const claimsCsvUrl = (filter: AdminClaimFilter) => listCsvUrl('/api/admin/redemptions', filter)

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
