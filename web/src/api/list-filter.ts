import type { paths } from '@/contract/schema'

type Query<Path extends keyof paths> = paths[Path]['get'] extends { parameters: { query?: infer Q } }
  ? NonNullable<Q>
  : never

type Filters<Path extends keyof paths> = Omit<Query<Path>, 'limit' | 'cursor' | 'format'>

/** The filters of an admin list. Undefined ones don't apply. */
export type ListFilter<Path extends keyof paths> = { [Name in keyof Filters<Path>]?: Filters<Path>[Name] | undefined }

/** The times from which and until which a list shows its rows, as ISO timestamps. */
export interface Period {
  from?: string | undefined
  to?: string | undefined
}

type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

/** The filters that apply. */
export function definedOnly<T extends object>(filter: T): Defined<T> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as Defined<T>
}

/** CSV download URL of a list with its filters. */
export function listCsvUrl(path: string, filter: object): string {
  const query = new URLSearchParams(definedOnly(filter) as Record<string, string>)
  query.set('format', 'csv')
  return `${path}?${query.toString()}`
}
