import { type RefObject, useRef, useState } from 'react'
import { type QuickSellResult, useQuickSell } from '@/api/sellback'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { ApiError, unanswered } from '@/contract/error'
import { dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import { useMountedRef } from '@/lib/use-mounted-ref'
import { sellbackTexts } from './texts'

type Lines = Parameters<ReturnType<typeof useQuickSell>['mutate']>[0]['lines']

interface Sale {
  /** Whether anything was sold. */
  done: RefObject<boolean>
  sell: (lines: Lines) => void
  pending: boolean
  /** The prices of the last attempt. */
  expectedCents: ReadonlyMap<string, number>
  /** The entries sold so far. */
  sold: ReadonlySet<string>
  /** Partial sales and errors. */
  notices: string[]
  /** Repeats the request; set while the outcome is unknown. */
  retry: (() => void) | undefined
}

/** The dialog's sale. It continues after the dialog is closed and reports its outcome in a toast. */
export function useSale(onSold: (sold: QuickSellResult['sold']) => void, onClose: () => void): Sale {
  const t = sellbackTexts.useT()
  const texts = useT()
  const mounted = useMountedRef()
  const done = useRef(false)
  const [sold, setSold] = useState<ReadonlySet<string>>(new Set())
  const [partly, setPartly] = useState<string>()
  const [outcomeUnknown, setOutcomeUnknown] = useState(false)
  const selling = useQuickSell({
    onDone: (answer) => {
      const payout = dollars(answer.payoutCents)
      const count = answer.sold.length
      const toBids = answer.sold.filter(({ to }) => to === 'bid').length
      setOutcomeUnknown(false)
      done.current = true
      onSold(answer.sold)
      if (answer.refusal && mounted.current) {
        setSold((before) => new Set([...before, ...answer.sold.map(({ inventoryId }) => inventoryId)]))
        setPartly(t.partly(count, payout))
        return
      }
      toast({
        title: t.sold(payout),
        description: answer.refusal ? t.partly(count, payout) : t.soldText(count - toBids, toBids),
      })
      if (mounted.current) onClose()
    },
    onFailed: (error) => {
      setOutcomeUnknown(unanswered(error))
      if (mounted.current) return
      const description = unanswered(error) ? t.unsureText : errorText(error, texts)
      toast({ title: t.notSold, description, variant: 'destructive' })
    },
  })
  const { error, variables, mutate } = selling
  const problem = outcomeUnknown ? t.unsure : error && !shownByQuotes(error) ? errorText(error, texts) : undefined
  return {
    done,
    sell: (lines) => {
      setPartly(undefined)
      mutate({ lines })
    },
    pending: selling.isPending,
    expectedCents: new Map(variables?.lines.map(({ inventoryId, payoutCents }) => [inventoryId, payoutCents])),
    sold,
    notices: [partly, problem].filter((text) => text !== undefined),
    retry: outcomeUnknown && variables ? () => mutate(variables) : undefined,
  }
}

/** Whether the refetched quotes show the reason already. */
function shownByQuotes(error: Error): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 409)
}
