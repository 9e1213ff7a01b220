import { useMutationState } from '@tanstack/react-query'
import { lazy, type ReactNode, startTransition, useState } from 'react'
import type { ActName } from '@/api/invalidations'
import { useWallet } from '@/api/wallet'
import type { Pack } from '@/contract/types'
import type { Quantity } from '@/lib/quantity'
import { DialogSlot } from '@/components/ui/dialog-slot'

const OpeningDialog = lazy(async () => {
  const dialog = await import('./pack-opening-dialog')
  await dialog.loadTexts()
  return { default: dialog.PackOpeningDialog }
})

interface PackOpening {
  open: (pack: Pack, quantity?: Quantity) => void
  /** Whether an open of this pack is under way, also after its dialog was left. */
  isOpening: (pack: Pack) => boolean
  /** To be rendered once on the page. */
  dialog: ReactNode
}

/** Lets a page open packs: where catalogue, ledger and opening meet. */
export function usePackOpening(): PackOpening {
  const [chosen, setChosen] = useState<{ pack: Pack; quantity: Quantity }>()
  const [visible, setVisible] = useState(false)
  const wallet = useWallet()
  const isOpening = usePendingOpens()

  function open(pack: Pack, quantity: Quantity = 1) {
    startTransition(() => {
      setChosen({ pack, quantity })
      setVisible(true)
    })
  }

  return {
    open,
    isOpening,
    dialog: chosen && (
      <DialogSlot open={visible} onClose={() => setVisible(false)}>
        <OpeningDialog
          pack={chosen.pack}
          initialQuantity={chosen.quantity}
          open={visible}
          onOpenChange={setVisible}
          balanceCents={wallet.data?.balanceCents}
        />
      </DialogSlot>
    ),
  }
}

function usePendingOpens(): (pack: Pack) => boolean {
  const pending = useMutationState({
    filters: { mutationKey: ['open' satisfies ActName], status: 'pending' },
    select: ({ state }) => packIdOf(state.variables),
  })
  return (pack) => pending.includes(pack.id)
}

function packIdOf(variables: unknown): unknown {
  return typeof variables === 'object' && variables !== null && 'packId' in variables ? variables.packId : undefined
}
