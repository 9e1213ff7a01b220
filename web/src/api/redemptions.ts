import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Address, Claim, ClaimChallenge } from '@/contract/types'
import { useSignedIn } from '@/lib/session'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'
import { pagedQuery } from './paged-query'

const claimsQuery = pagedQuery(keys.claims, (query, options) =>
  api.GET('/api/redemptions', { params: { query }, ...options }),
)

/** The user's shipments, newest first, paged. */
export function useClaims() {
  return useInfiniteQuery({ ...claimsQuery, enabled: useSignedIn() })
}

/** One of the user's shipments, with its address. */
export function useClaim(id: string, enabled: boolean) {
  return useQuery({
    queryKey: [...keys.claims, id],
    queryFn: ({ signal }) => read(api.GET('/api/redemptions/{id}', { params: { path: { id } }, signal })),
    enabled: useSignedIn() && enabled,
  })
}

const termsQuery = queryOptions({
  queryKey: keys.claimTerms,
  queryFn: ({ signal }) => read(api.GET('/api/redemptions/terms', { signal })),
})

/** Countries that items are shipped to, and shipping costs. */
export function useClaimTerms() {
  return useQuery({ ...termsQuery, enabled: useSignedIn() })
}

export interface AddressFormParams {
  country: string
  language: 'en' | 'zh'
  region: string
  city: string
}

/** The address form of a country. */
export function useAddressForm({ country, language, region, city }: AddressFormParams) {
  const query = { country, language, ...(region && { region }), ...(city && { city }) }
  return useQuery({
    queryKey: [...keys.claims, 'form', query],
    queryFn: ({ signal }) => read(api.GET('/api/redemptions/address-form', { params: { query }, signal })),
    enabled: useSignedIn() && country !== '',
    placeholderData: (before) => (before?.country === country ? before : undefined),
  })
}

export interface ClaimOrder {
  inventoryIds: string[]
  address: Address
}

/** Requests a shipment's cost and the text to sign. */
export function requestClaimChallenge(body: ClaimOrder): Promise<ClaimChallenge> {
  return read(api.POST('/api/redemptions/challenge', { body }))
}

const renewMs = 4 * 60_000

/** The challenge of an order, renewed while displayed, before it is too old to sign. */
export function useClaimChallenge(order: ClaimOrder | undefined) {
  return useQuery({
    queryKey: [...keys.claims, 'challenge', order],
    queryFn: () => (order ? requestClaimChallenge(order) : Promise.reject(new Error('no order'))),
    enabled: useSignedIn() && order !== undefined,
    refetchInterval: renewMs,
    gcTime: 0,
  })
}

interface SignedClaimOrder extends ClaimOrder {
  addressSalt: string
  signature: string
  signedMessage?: string
}

export function useClaimItems(handlers: Handlers<Claim>) {
  return useAct(
    'claim',
    (body: SignedClaimOrder, keyed) => read(api.POST('/api/redemptions', { body, ...keyed })),
    handlers,
  )
}

export function useCancelClaim(handlers: Handlers<Claim>) {
  return useAct(
    'cancelClaim',
    ({ id }: { id: string }, { params: { header }, headers }) =>
      read(api.POST('/api/redemptions/{id}/cancel', { params: { path: { id }, header }, headers })),
    handlers,
  )
}
