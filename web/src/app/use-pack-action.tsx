import type { ReactNode } from 'react'
import { PackAction } from '@/features/store/pack-action'
import type { Pack } from '@/contract/types'
import { usePackOpening } from './use-pack-opening'

/** The store's button for a pack, and the dialog that it opens, to be rendered once on the page. */
export function usePackAction(): { action: (pack: Pack) => ReactNode; dialog: ReactNode } {
  const { open, isOpening, dialog } = usePackOpening()
  return {
    action: (pack) => <PackAction pack={pack} opening={isOpening(pack)} onOpen={(chosen) => open(chosen)} />,
    dialog,
  }
}
