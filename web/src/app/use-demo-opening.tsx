import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Pack } from '@/contract/types'

const DemoDialog = lazy(async () => ({
  default: (await import('@/features/opening/demo/demo-dialog')).DemoDialog,
}))

/** Lets a page show the demo of a pack: the dialog is to be rendered once on it. */
export function useDemoOpening(): { showDemo: (pack: Pack) => void; demo: ReactNode } {
  const [pack, setPack] = useState<Pack>()
  const [visible, setVisible] = useState(false)
  return {
    showDemo(next) {
      setPack(next)
      setVisible(true)
    },
    demo: pack && (
      <Suspense>
        <DemoDialog pack={pack} open={visible} onOpenChange={setVisible} />
      </Suspense>
    ),
  }
}
