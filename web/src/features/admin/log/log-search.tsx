import { Search } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { type AdminLogFilter, adminLogCsvUrl } from '@/api/admin-log'
import { startOfDay } from '@/lib/start-of-day'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { CsvLink } from '../csv-link'
import { adminTexts } from '../texts'

const emptyForm = { search: '', actor: '', subject: '', act: '', from: '', to: '' }

/** Drops empty fields; days run from local midnight to midnight. */
function filterOf({ from, to, ...texts }: typeof emptyForm): AdminLogFilter {
  return {
    ...Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : []))),
    ...(from && { from: startOfDay(from) }),
    ...(to && { to: startOfDay(to, 1) }),
  }
}

interface LogSearchProps {
  /** The filter in effect, which the CSV link exports. */
  filter: AdminLogFilter
  onSearch: (filter: AdminLogFilter) => void
}

/** Search form and CSV link of the admin log. */
export function LogSearch({ filter, onSearch }: LogSearchProps) {
  const { log: t, list } = adminTexts.useT()
  const [typed, setTyped] = useState(emptyForm)
  const field = (name: keyof typeof emptyForm) => ({
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [name]: target.value }),
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(filterOf(typed))
  }
  return (
    <form
      role="search"
      onSubmit={onSubmit}
      className="panel grid grid-cols-4 items-end gap-4 rounded-2xl p-5 xl:grid-cols-6"
    >
      <Labelled label={t.search} className="col-span-4 xl:col-span-2">
        <Input type="search" {...field('search')} autoComplete="off" />
      </Labelled>
      <Labelled label={t.actor} className="col-span-2">
        <Input {...field('actor')} autoComplete="off" spellCheck={false} />
      </Labelled>
      <Labelled label={t.subject} className="col-span-2">
        <Input {...field('subject')} placeholder={t.subjectHint} autoComplete="off" spellCheck={false} />
      </Labelled>
      <Labelled label={t.act} className="col-span-2">
        <Select {...field('act')} className="w-full">
          <option value="">{t.anyAct}</option>
          {Object.entries(t.acts).map(([act, name]) => (
            <option key={act} value={act}>
              {name}
            </option>
          ))}
        </Select>
      </Labelled>
      <Labelled label={t.from}>
        <Input type="date" {...field('from')} />
      </Labelled>
      <Labelled label={t.to}>
        <Input type="date" {...field('to')} />
      </Labelled>
      <div className="col-span-4 flex flex-wrap justify-end gap-3 xl:col-span-2">
        <Button type="submit" className="h-11">
          <Search aria-hidden />
          <span>{list.search}</span>
        </Button>
        <CsvLink url={adminLogCsvUrl(filter)} label={t.csv} />
      </div>
    </form>
  )
}

function Labelled({ label, className = '', children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <label className={`grid gap-1.5 text-xs text-muted-foreground ${className}`}>
      <span>{label}</span>
      {children}
    </label>
  )
}
