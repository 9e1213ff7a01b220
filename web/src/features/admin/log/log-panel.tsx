import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { type AdminLogFilter, adminLogQuery } from '@/api/admin-log'
import { AdminList } from '../admin-list'
import { adminTexts } from '../texts'
import { ActCard } from './act-card'
import { LogSearch } from './log-search'

/** The admin log. */
export default function LogPanel() {
  const t = adminTexts.useT().log
  const [filter, setFilter] = useState<AdminLogFilter>({})
  return (
    <AdminList
      list={useInfiniteQuery(adminLogQuery(filter))}
      label={t.list}
      failed={t.failed}
      text={t.text}
      toolbar={<LogSearch filter={filter} onSearch={setFilter} />}
      empty={{ icon: <ScrollText />, title: t.none, text: t.noneText }}
      entryHeight="h-44"
      skeletonCount={4}
      idOf={({ id }) => id}
    >
      {(act) => <ActCard act={act} />}
    </AdminList>
  )
}
