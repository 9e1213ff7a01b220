import { cn } from '@/lib/cn'
import { Failed } from './failed'
import { Skeleton } from './skeleton'

interface TilesProps {
  /** The grid's columns, such as `grid-cols-3`. */
  columns: string
  /** A value is undefined while it is unknown. */
  tiles: readonly { label: string; value: string | undefined }[]
  /** What to say and do where the numbers cannot be had. */
  failure: { text: string; retry: () => void } | undefined
}

/** Numbers side by side. */
export function Tiles({ columns, tiles, failure }: TilesProps) {
  if (failure) return <Failed {...failure} className="panel rounded-2xl px-5 py-4" />
  return (
    <dl className={cn('grid gap-4', columns)}>
      {tiles.map(({ label, value }) => (
        <div key={label} className="panel rounded-2xl px-5 py-4">
          <dt className="text-sm text-muted-foreground">{label}</dt>
          <dd className="mt-1 text-2xl font-semibold tracking-tight tabular-nums">
            {value ?? <Skeleton className="my-1 h-7 w-20" />}
          </dd>
        </div>
      ))}
    </dl>
  )
}
