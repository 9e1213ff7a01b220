import { Link } from '@tanstack/react-router'
import { Layers, ShieldCheck } from 'lucide-react'
import { useLanguage, useT } from '@/i18n'
import { usePackName } from '@/i18n/names'
import { storeTexts } from '../texts'
import type { PackDetail } from '@/contract/types'
import { SealedMark } from '@/components/sealed/sealed-mark'
import { Badge } from '@/components/ui/badge'
import { packsLeft } from '../buy-state'

export function PackSummary({ pack }: { pack: PackDetail }) {
  const { howFair, store } = useT().catalogue
  const { pack: t, sealed } = storeTexts.useT()
  const language = useLanguage()
  const packName = usePackName()
  const left = packsLeft(pack)
  return (
    <header>
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="mr-1 text-[2rem] leading-tight font-semibold tracking-tight">{packName(pack)}</h1>
        {pack.isNew && <Badge variant="gold">{store.new}</Badge>}
        <Badge>
          <Layers aria-hidden />
          <span>{t.itemsPerPack(pack.itemsPerPack)}</span>
        </Badge>
        {pack.sealed && <SealedMark texts={sealed} sealed={pack.sealed} />}
        {pack.soldOut ? <Badge>{store.soldOut}</Badge> : left !== undefined && <Badge>{t.left(left)}</Badge>}
      </div>
      {pack.description[language] && (
        <p className="mt-2 max-w-xl text-pretty text-muted-foreground">{pack.description[language]}</p>
      )}
      <p className="mt-3 flex items-center gap-2 text-sm text-muted-foreground">
        <ShieldCheck aria-hidden className="size-4 shrink-0 text-positive-text" />
        <span>
          <span>{pack.sealed ? t.verifiable : t.sealed}</span>{' '}
          <span className="whitespace-nowrap">
            <a
              href={`/api/fairness/manifests/${pack.manifestHash}`}
              target="_blank"
              rel="noreferrer"
              title={t.proofHelp}
              className="text-gold-text underline underline-offset-4"
            >
              {t.proof}
            </a>
            <span> ·</span>
          </span>{' '}
          <Link to="/fairness" className="whitespace-nowrap text-gold-text underline underline-offset-4">
            {howFair}
          </Link>
        </span>
      </p>
    </header>
  )
}
