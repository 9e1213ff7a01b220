import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import type { AdminUserPage } from '@/contract/types'
import { Skeleton } from '@/components/ui/skeleton'
import { Tabs, TabsList, TabsPanel, TabsTrigger } from '@/components/ui/tabs'
import { adminTexts } from '../texts'
import type { SectionProps } from './section-props'
import { userSearch, type UserTab, userTabs } from './tabs'

const sections: Record<UserTab, ComponentType<SectionProps>> = {
  movements: lazy(async () => ({ default: (await import('./user-lists')).Movements })),
  opens: lazy(async () => ({ default: (await import('./user-lists')).Opens })),
  entries: lazy(async () => ({ default: (await import('./user-lists')).Entries })),
  trades: lazy(async () => ({ default: (await import('./user-lists')).Trades })),
  sellBacks: lazy(async () => ({ default: (await import('./user-lists')).SellBacks })),
  bids: lazy(async () => ({ default: (await import('./user-lists')).Bids })),
  deposits: lazy(() => import('./deposits-section')),
  claims: lazy(() => import('./claims-section')),
  limits: lazy(() => import('./limits-section')),
  sessions: lazy(() => import('./sessions-section')),
  notes: lazy(() => import('./notes-section')),
  log: lazy(() => import('./log-section')),
}

export function UserTabs({ user }: { user: AdminUserPage }) {
  const t = adminTexts.useT().user
  const { tab = 'movements', id } = useSearch({ from: '/admin/users/$userId', select: userSearch })
  const navigate = useNavigate()
  const show = (next: UserTab) =>
    void navigate({
      to: '/admin/users/$userId',
      params: { userId: user.id },
      search: { tab: next },
      replace: true,
      resetScroll: false,
    })
  const Section = sections[tab]
  return (
    <Tabs value={tab} onValueChange={(next) => show(next as UserTab)}>
      <TabsList label={t.tabs}>
        {userTabs.map((name) => (
          <TabsTrigger key={name} value={name}>
            {t.tab[name]}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsPanel className="mt-4">
        <h2 className="mb-4 text-lg font-semibold">{t.tab[tab]}</h2>
        <Suspense fallback={<Skeleton className="h-80 rounded-2xl" />}>
          <Section key={`${tab} ${id ?? ''}`} user={user} id={id} onShowAll={id ? () => show(tab) : undefined} />
        </Suspense>
      </TabsPanel>
    </Tabs>
  )
}
