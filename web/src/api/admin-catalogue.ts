import { useMutation } from '@tanstack/react-query'
import type { ImportReport } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'

const path = '/api/admin/catalogue/import'

/** An import file's contents. */
export interface ItemFile {
  name: string
  format: 'csv' | 'json'
  text: string
  /** Hash of the content, which is too long for a query key. */
  digest: string
}

/** Previews what an import would change. */
export function useCheckImport() {
  return useMutation({
    mutationFn: ({ format, text, name }: ItemFile) =>
      read(api.POST(path, { body: { format, text, reason: name, dryRun: true } })),
  })
}

export interface ImportRequest {
  digest: string
  reason: string
  skipBad: boolean
  /** Columns that items don't have, to be left out. */
  ignoreColumns?: string[]
}

export function useImport(file: ItemFile | undefined, handlers: Handlers<ImportReport>) {
  return useAct(
    'importItems',
    ({ reason, skipBad, ignoreColumns }: ImportRequest, keyed) =>
      read(
        api.POST(path, {
          body: {
            format: file?.format ?? 'csv',
            text: file?.text ?? '',
            reason,
            skipBad,
            ...(ignoreColumns && { ignoreColumns }),
          },
          ...keyed,
        }),
      ),
    handlers,
  )
}

/** Download URL of the whole catalogue, as a file that can be imported. */
export const catalogueCsvUrl = '/api/admin/catalogue/export?format=csv'
