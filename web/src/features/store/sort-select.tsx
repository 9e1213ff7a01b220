import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { oneOfOrUndefined } from '@/lib/search-param'
import { Select } from '@/components/ui/select'
import { type PackSort, packSorts } from './store-search'
import { storeTexts } from './texts'

/** Chooses the order of the packs. The URL holds the choice. */
export function SortSelect({ sort }: { sort: PackSort | undefined }) {
  const t = storeTexts.useT().store
  const navigate = useNavigate()
  const id = useId()
  const select = (chosen: string) =>
    void navigate({
      to: '/open-packs',
      search: { sort: oneOfOrUndefined(packSorts, chosen) },
      hash: true,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    })
  return (
    <div className="flex items-center gap-2.5">
      <label htmlFor={id} className="text-sm whitespace-nowrap text-muted-foreground">
        {t.sort}
      </label>
      <Select
        id={id}
        value={sort ?? 'featured'}
        onChange={({ currentTarget: { value } }) => select(value)}
        className="w-60"
      >
        {(['featured', ...packSorts] as const).map((name) => (
          <option key={name} value={name}>
            {t.sorts[name]}
          </option>
        ))}
      </Select>
    </div>
  )
}
