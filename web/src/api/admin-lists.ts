// The lists that only exports and the page of a user show.
import { api } from './client'
import { keys } from './keys'
import { definedOnly, listCsvUrl, type ListFilter } from './list-filter'
import { pagedQuery } from './paged-query'

type TransferFilter = ListFilter<'/api/admin/transfers'>
type OpenFilter = ListFilter<'/api/admin/opens'>
type EntryFilter = ListFilter<'/api/admin/entries'>
type SaleFilter = ListFilter<'/api/admin/sales'>
type SellBackFilter = ListFilter<'/api/admin/sell-backs'>
type BidFilter = ListFilter<'/api/admin/bids'>

export const transfersQuery = (filter: TransferFilter) =>
  pagedQuery([...keys.adminLists, 'transfers', filter], (page, options) =>
    api.GET('/api/admin/transfers', { params: { query: { ...definedOnly(filter), ...page } }, ...options }),
  )

export const transfersCsvUrl = (filter: TransferFilter) => listCsvUrl('/api/admin/transfers', filter)

export const opensQuery = (filter: OpenFilter) =>
  pagedQuery([...keys.adminLists, 'opens', filter], (page, options) =>
    api.GET('/api/admin/opens', { params: { query: { ...definedOnly(filter), ...page } }, ...options }),
  )

export const opensCsvUrl = (filter: OpenFilter) => listCsvUrl('/api/admin/opens', filter)

export const entriesQuery = (filter: EntryFilter) =>
  pagedQuery([...keys.adminLists, 'entries', filter], (page, options) =>
    api.GET('/api/admin/entries', { params: { query: { ...definedOnly(filter), ...page } }, ...options }),
  )

export const entriesCsvUrl = (filter: EntryFilter) => listCsvUrl('/api/admin/entries', filter)

export const salesQuery = (filter: SaleFilter) =>
  pagedQuery([...keys.adminLists, 'sales', filter], (page, options) =>
    api.GET('/api/admin/sales', { params: { query: { ...definedOnly(filter), ...page } }, ...options }),
  )

export const salesCsvUrl = (filter: SaleFilter) => listCsvUrl('/api/admin/sales', filter)

export const sellBacksQuery = (filter: SellBackFilter) =>
  pagedQuery([...keys.adminLists, 'sell-backs', filter], (page, options) =>
    api.GET('/api/admin/sell-backs', { params: { query: { ...definedOnly(filter), ...page } }, ...options }),
  )

export const sellBacksCsvUrl = (filter: SellBackFilter) => listCsvUrl('/api/admin/sell-backs', filter)

export const bidsQuery = (filter: BidFilter) =>
  pagedQuery([...keys.adminLists, 'bids', filter], (page, options) =>
    api.GET('/api/admin/bids', { params: { query: { ...definedOnly(filter), ...page } }, ...options }),
  )

export const bidsCsvUrl = (filter: BidFilter) => listCsvUrl('/api/admin/bids', filter)
