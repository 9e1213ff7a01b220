import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { type AdminLogFilter, adminLogQuery } from '@/api/admin-log'
import { AdminList } from '../admin-list'
import { adminTexts } from '../texts'
import { ActCard } from './act-card'
import { LogSearch } from './log-search'

/** The admin log, or the part about a user. */
export default function LogPanel({ user }: { user?: string }) {
  const t = adminTexts.useT().log
  const [chosen, setChosen] = useState<AdminLogFilter>({})
  const filter = { ...chosen, user }
  return (
    <AdminList
      list={useInfiniteQuery(adminLogQuery(filter))}
      label={t.list}
      failed={t.failed}
      text={user ? t.ofUser : t.text}
      toolbar={<LogSearch filter={filter} onSearch={setChosen} />}
      empty={{ icon: <ScrollText />, title: t.none, text: t.noneText }}
      entryHeight="h-44"
      skeletonCount={4}
      idOf={({ id }) => id}
    >
      {(act) => <ActCard act={act} />}
    </AdminList>
  )
}
