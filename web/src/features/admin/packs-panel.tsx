import { useQuery } from '@tanstack/react-query'
import { PackageOpen } from 'lucide-react'
import { lazy, startTransition, Suspense, useState } from 'react'
import { adminPacksQuery } from '@/api/admin-packs'
import { useLanguage } from '@/i18n'
import type { AdminPack } from '@/contract/types'
import { dateTime, dollars } from '@/lib/format'
import { Art } from '@/components/ui/art'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { clearIfCurrent } from '@/components/ui/dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { adminTexts } from './texts'

const PackEditor = lazy(() => import('./pack-editor'))

const grid = 'grid grid-cols-2 gap-5 lg:grid-cols-4 xl:grid-cols-5'
const skeletonCount = 10

function Waiting() {
  return (
    <div className={grid}>
      {Array.from({ length: skeletonCount }, (_, index) => (
        <Skeleton key={index} className="h-76 rounded-2xl" />
      ))}
    </div>
  )
}

/** All packs, on sale or not; each can be edited. */
export default function PacksPanel() {
  const t = adminTexts.useT().admin
  const packs = useQuery(adminPacksQuery)
  const [editing, setEditing] = useState<AdminPack>()
  return (
    <>
      <Loaded
        query={packs}
        failed={t.packsFailed}
        skeleton={<Waiting />}
        empty={<EmptyState icon={<PackageOpen />} title={t.noPacks} text={t.noPacksText} level={3} />}
      >
        {(all) => (
          <ul className={grid}>
            {all.map((pack) => (
              <PackTile key={pack.id} pack={pack} onEdit={() => startTransition(() => setEditing(pack))} />
            ))}
          </ul>
        )}
      </Loaded>
      <Suspense>
        {editing && <PackEditor pack={editing} onClose={() => setEditing(clearIfCurrent(editing))} />}
      </Suspense>
    </>
  )
}

function PackTile({ pack, onEdit }: { pack: AdminPack; onEdit: () => void }) {
  const t = adminTexts.useT().editing
  const language = useLanguage()
  const { announced, publishingSince, wanted } = pack
  return (
    <li className="panel flex flex-col rounded-2xl p-4">
      <Art src={pack.coverImageUrl} alt="" loading="lazy" className="mx-auto h-36 w-auto" />
      <h3 className="mt-3 truncate text-sm font-medium">{pack.name}</h3>
      {/* Both names in either language, for the admin who maintains them. */}
      {wanted.nameZh && (
        <p lang="zh-CN" className="truncate text-xs text-muted-foreground">
          {wanted.nameZh}
        </p>
      )}
      <p className="mt-2 flex items-center justify-between gap-2 text-sm">
        <PackState pack={pack} />
        <span className="font-semibold tabular-nums">{pack.price}</span>
      </p>
      {publishingSince && (
        <p className="mt-2 text-xs text-muted-foreground">{t.pack.publishing(dateTime(publishingSince, language))}</p>
      )}
      {announced && (
        <p className="mt-2 text-xs text-muted-foreground tabular-nums">
          {t.pack.from(dateTime(announced.effectiveAt, language), dollars(wanted.priceCents))}
        </p>
      )}
      <div className="mt-auto pt-3">
        <Button size="sm" variant="secondary" className="w-full" aria-label={t.editOf(wanted.name)} onClick={onEdit}>
          {t.edit}
        </Button>
      </div>
    </li>
  )
}

function PackState({ pack }: { pack: AdminPack }) {
  const t = adminTexts.useT().admin
  if (pack.paused && pack.wanted.isActive) return <Badge title={pack.paused}>{t.paused}</Badge>
  return (
    <span className="flex gap-1.5">
      {pack.isActive ? <Badge variant="positive">{t.active}</Badge> : <Badge>{t.inactive}</Badge>}
      {pack.soldOut && <Badge>{t.soldOut}</Badge>}
    </span>
  )
}
