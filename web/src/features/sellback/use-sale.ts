import { type RefObject, useEffect, useRef, useState } from 'react'
import { type QuickSellResult, useQuickSell } from '@/api/sellback'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { ApiError, unanswered } from '@/contract/error'
import { dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import { sellbackTexts } from './texts'

type Lines = Parameters<ReturnType<typeof useQuickSell>['mutate']>[0]['lines']

interface Sale {
  /** Whether anything was sold. */
  done: RefObject<boolean>
  sell: (lines: Lines) => void
  pending: boolean
  /** For how much each was to be sold last. */
  asked: ReadonlyMap<string, number>
  /** What this dialog has sold so far. */
  sold: ReadonlySet<string>
  /** What became of it, where it did not go through whole. */
  notices: string[]
  /** Sends the same again; there while nobody knows whether it was sold. */
  askAgain: (() => void) | undefined
}

/** The sale behind the dialog. One that was left keeps going, and says what became of it. */
export function useSale(onSold: (sold: QuickSellResult['sold']) => void, onClose: () => void): Sale {
  const t = sellbackTexts.useT()
  const texts = useT()
  const here = useHere()
  const done = useRef(false)
  const [sold, setSold] = useState<ReadonlySet<string>>(new Set())
  const [partly, setPartly] = useState<string>()
  const [unsure, setUnsure] = useState(false)
  const selling = useQuickSell({
    onDone: (answer) => {
      const payout = dollars(answer.payoutCents)
      const count = answer.sold.length
      const toBids = answer.sold.filter(({ to }) => to === 'bid').length
      setUnsure(false)
      done.current = true
      onSold(answer.sold)
      if (answer.refusal && here.current) {
        setSold((before) => new Set([...before, ...answer.sold.map(({ inventoryId }) => inventoryId)]))
        setPartly(t.partly(count, payout))
        return
      }
      toast({
        title: t.sold(payout),
        description: answer.refusal ? t.partly(count, payout) : t.soldText(count - toBids, toBids),
      })
      if (here.current) onClose()
    },
    onFailed: (error) => {
      setUnsure(unanswered(error))
      if (here.current) return
      const description = unanswered(error) ? t.unsureText : errorText(error, texts)
      toast({ title: t.notSold, description, variant: 'destructive' })
    },
  })
  const { error, variables, mutate } = selling
  const trouble = unsure ? t.unsure : error && !toldByQuotes(error) ? errorText(error, texts) : undefined
  return {
    done,
    sell: (lines) => {
      setPartly(undefined)
      mutate({ lines })
    },
    pending: selling.isPending,
    asked: new Map(variables?.lines.map(({ inventoryId, payoutCents }) => [inventoryId, payoutCents])),
    sold,
    notices: [partly, trouble].filter((text) => text !== undefined),
    askAgain: unsure && variables ? () => mutate(variables) : undefined,
  }
}

/** Whether what was refused shows in the quotes, which are read afresh after it. */
function toldByQuotes(error: Error): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 409)
}

function useHere() {
  const here = useRef(false)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  return here
}
