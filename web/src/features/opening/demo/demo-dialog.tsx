import { useT } from '@/i18n'
import { usePackName } from '@/i18n/names'
import { openingTexts } from '../texts'
import type { Pack } from '@/contract/types'
import { dollars } from '@/lib/format'
import { asRarity } from '@/lib/rarity'
import { Badge } from '@/components/ui/badge'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Logo } from '@/components/ui/logo'
import { Controls } from '../controls'
import { realChance } from './real-chance'
import { DemoAnimation, DemoIntro, DemoReveal } from './stages'
import { useDemo } from './use-demo'

interface DemoDialogProps {
  pack: Pack
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** A free demo opening, signed in or out. Every demo starts with the intro. */
export function DemoDialog({ pack, open, onOpenChange }: DemoDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open && <Stages pack={pack} close={() => onOpenChange(false)} />}
    </Dialog>
  )
}

function Stages({ pack, close }: { pack: Pack; close: () => void }) {
  const t = openingTexts.useT().demo
  const { catalogue } = useT()
  const packName = usePackName()
  const { phase, pull, error, tearing, rip, skip } = useDemo(pack)
  const said =
    phase === 'reveal' && pull
      ? t.revealed(
          pull.item.name,
          catalogue.rarities[asRarity(pull.item.rarity)],
          dollars(pull.item.baseValueCents),
          realChance(pull.chance, pack, t),
        )
      : phase === 'animation'
        ? t.opening
        : ''
  return (
    <DialogContent
      aria-describedby={undefined}
      overlayClassName="bg-background"
      className="inset-0 top-0 left-0 h-dvh max-h-none w-full max-w-none translate-0 rounded-none border-0! bg-background! p-0 shadow-none! data-[state=open]:zoom-in-100"
      closeButton={false}
      onInteractOutside={(event) => event.preventDefault()}
    >
      <DialogHeader title={t.dialog(packName(pack))} className="sr-only" />
      <p role="status" className="sr-only">
        {said}
      </p>
      <Controls turning={phase === 'intro'} leave={close} />
      <Brand />
      {phase === 'intro' && <DemoIntro pack={pack} error={error} rip={rip} />}
      {phase === 'animation' && <DemoAnimation pack={pack} tearing={tearing} skip={skip} />}
      {phase === 'reveal' && pull && <DemoReveal pack={pack} pull={pull} close={close} />}
    </DialogContent>
  )
}

function Brand() {
  const t = openingTexts.useT().demo
  return (
    <p className="absolute top-4 left-6 z-10 flex items-center gap-2.5">
      <Logo expanded />
      <Badge variant="gold">{t.badge}</Badge>
    </p>
  )
}
