import { Link, useNavigate } from '@tanstack/react-router'
import { Download, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useT } from '@/i18n'
import { categories } from '@/components/categories'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { type ActivitySearch, tradeKinds } from './activity-search'
import { tradesTexts } from './texts'

interface ActivityFilterProps {
  wanted: ActivitySearch
  /** Where what is shown is had as a file. */
  file: string
  itemName: string | undefined
}

/** Narrows the trades; the page's address holds what was chosen. */
export function ActivityFilter({ wanted, file, itemName }: ActivityFilterProps) {
  const t = tradesTexts.useT()
  const { catalogue } = useT()
  const navigate = useNavigate()
  const change = (part: ActivitySearch) =>
    void navigate({ to: '/activity', search: { ...wanted, ...part }, resetScroll: false })
  return (
    <section aria-label={t.filter} className="flex flex-wrap items-end gap-4">
      <Choice
        label={t.whose}
        value={wanted.mine ? 'mine' : ''}
        choose={(value) => change({ mine: value ? true : undefined })}
      >
        <option value="">{t.everybodys}</option>
        <option value="mine">{t.mine}</option>
      </Choice>
      <Choice
        label={t.series}
        value={wanted.series ?? ''}
        choose={(value) => change({ series: categories.find((category) => category === value) })}
      >
        <option value="">{t.everySeries}</option>
        {categories.map((category) => (
          <option key={category} value={category}>
            {catalogue.categories[category]}
          </option>
        ))}
      </Choice>
      <Choice
        label={t.kind}
        value={wanted.kind ?? ''}
        choose={(value) => change({ kind: tradeKinds.find((kind) => kind === value) })}
      >
        <option value="">{t.everyKind}</option>
        {tradeKinds.map((kind) => (
          <option key={kind} value={kind}>
            {t.kinds[kind]}
          </option>
        ))}
      </Choice>
      {wanted.item !== undefined && (
        <Button asChild variant="secondary" className="h-11 max-w-72">
          <Link to="/activity" search={{ ...wanted, item: undefined }} title={t.everyItem}>
            <span className="truncate">{itemName === undefined ? t.ofOneItem : t.ofItem(itemName)}</span>
            <X aria-label={t.everyItem} />
          </Link>
        </Button>
      )}
      <Button asChild variant="secondary" className="ml-auto h-11">
        <a href={file} download>
          <Download aria-hidden />
          <span>{t.csv}</span>
        </a>
      </Button>
    </section>
  )
}

interface ChoiceProps {
  label: string
  value: string
  choose: (value: string) => void
  children: ReactNode
}

function Choice({ label, value, choose, children }: ChoiceProps) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-xs text-muted-foreground">
        {label}
      </label>
      <Select id={id} value={value} onChange={({ target }) => choose(target.value)} className="w-44">
        {children}
      </Select>
    </div>
  )
}
