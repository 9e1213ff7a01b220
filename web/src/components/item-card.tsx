import { Link } from '@tanstack/react-router'
import type { HTMLAttributes, ReactNode } from 'react'
import { useT } from '@/i18n'
import { useSeriesName } from '@/i18n/names'
import { cn } from '@/lib/cn'
import { dollars } from '@/lib/format'
import { Art, type ArtLoading } from '@/components/ui/art'
import { Badge } from '@/components/ui/badge'
import { type Fact, Facts } from '@/components/ui/facts'
import { Skeleton } from '@/components/ui/skeleton'
import { CertificateLink } from './certificate-link'
import { RarityBadge } from './rarity-badge'
import type { ShownItem } from './shown-item'
import { Slab } from './slab'

/** `brief` omits series and grade, `plain` only the certificate; `large` is for a single item. */
type Size = 'brief' | 'plain' | 'full' | 'large'

interface ItemTextProps {
  item: ShownItem
  /** Heading level of the name; without it the name is plain text. At level 1, on the item's own page, it has no link. */
  level?: 1 | 2 | 3 | undefined
  /** At level 1, links the name all the same. */
  linked?: boolean | undefined
  size?: Size | undefined
  /** Value or price in cents, next to the rarity. */
  valueCents?: number | undefined
  /** A short extra label. */
  badges?: ReactNode
  /** Labelled values, last. */
  facts?: readonly Fact[] | undefined
  /** Other content, above the facts. */
  children?: ReactNode
}

/** An item's name and details, as shown on every card. */
export function ItemText(props: ItemTextProps) {
  const { item, level, linked = level !== 1, size = 'full', valueCents, badges, facts, children } = props
  const { grade: gradeText } = useT().catalogue
  const { rarity, grade } = item
  return (
    <>
      <div className="flex flex-wrap items-center gap-1">
        {rarity && <RarityBadge rarity={rarity} size={size === 'large' ? 'lg' : 'sm'} />}
        {size !== 'brief' && grade != null && (
          <Badge className={size === 'large' ? '' : 'px-1.5 py-px text-[0.6875rem]/[inherit]'}>
            {gradeText(String(grade))}
          </Badge>
        )}
        {badges}
        <Value cents={valueCents} className="ml-auto" />
      </div>
      <Name item={item} level={level} linked={linked} large={size === 'large'} />
      {size !== 'brief' && <Origin item={item} size={size} />}
      {children}
      {facts && <Facts facts={facts} className="mt-auto pt-3" />}
    </>
  )
}

interface NameProps {
  item: ShownItem
  level: 1 | 2 | 3 | undefined
  linked: boolean
  large: boolean
}

/** The name with a tooltip if it is truncated, linked to the item's page. */
function Name({ item, level, linked, large }: NameProps) {
  const { name } = item
  const Heading = level ? (`h${level}` as const) : 'p'
  const classes = large
    ? 'mt-3 text-2xl leading-snug font-semibold text-balance'
    : 'mt-2 line-clamp-3 text-sm leading-5 font-medium'
  return (
    <Heading title={large ? undefined : name} className={classes}>
      {linked ? <ItemLink item={item}>{name}</ItemLink> : name}
    </Heading>
  )
}

interface ItemLinkProps extends Pick<HTMLAttributes<HTMLElement>, 'aria-label'> {
  item: ShownItem
  children: ReactNode
}

/** Links to the owned entry, or else to the item. Stacked above the card's own button. */
export function ItemLink({ item: { id, inventoryId }, children, ...rest }: ItemLinkProps) {
  const classes = 'relative z-1 rounded-sm hover:text-gold-text'
  if (inventoryId) {
    return (
      <Link to="/entry/$entryId" params={{ entryId: inventoryId }} className={classes} {...rest}>
        {children}
      </Link>
    )
  }
  if (!id) return children
  return (
    <Link to="/item/$itemId" params={{ itemId: id }} className={classes} {...rest}>
      {children}
    </Link>
  )
}

/** Series and certificate. */
function Origin({ item: { series, certType = '', certNumber = '' }, size }: { item: ShownItem; size: Size }) {
  const seriesName = useSeriesName()
  if (size === 'plain')
    return series ? <p className="mt-0.5 text-xs text-muted-foreground">{seriesName(series)}</p> : null
  const classes = size === 'large' ? 'mt-1' : 'mt-0.5 justify-between text-xs'
  return (
    <div className={cn('flex flex-wrap items-baseline gap-x-3 text-muted-foreground', classes)}>
      <span>{series && seriesName(series)}</span>
      <CertificateLink grader={certType} certNumber={certNumber} className={size === 'large' ? '' : 'text-xs'} />
    </div>
  )
}

function Value({ cents, className }: { cents: number | undefined; className: string }) {
  if (cents === undefined) return null
  return <span className={cn('text-sm font-semibold tabular-nums', className)}>{dollars(cents)}</span>
}

/** `upright`: in a slab. `row`: next to a small picture. `tiny`: a picture, with its value if there is room. */
type Layout = 'upright' | 'row' | 'tiny'

interface ItemCardProps extends ItemTextProps, Omit<HTMLAttributes<HTMLElement>, 'children'> {
  layout?: Layout
  /** Width of the slab, or height of the small picture. */
  pictureClassName?: string
  loading?: ArtLoading
  /** Overlays the picture. */
  over?: ReactNode
  /** Buttons. */
  actions?: ReactNode
}

/** An item card. With a heading level it is a panel, otherwise part of one. */
export function ItemCard(props: ItemCardProps) {
  const { item, level, size, valueCents, badges, facts, children, ...others } = props
  const { layout = 'upright', pictureClassName, loading = 'lazy', over, actions, className, ...rest } = others
  const Root = level ? 'article' : 'div'
  const upright = layout === 'upright'
  const text = { item, level, size: size ?? (upright ? 'full' : 'brief'), valueCents, badges, facts } as const
  return (
    <Root
      className={cn(
        'relative flex',
        upright ? 'h-full flex-col' : 'base:items-center base:gap-4',
        level && 'panel rounded-2xl p-4',
        className,
      )}
      {...rest}
    >
      <Picture item={item} layout={layout} loading={loading} className={pictureClassName}>
        {over}
      </Picture>
      {layout === 'tiny' ? (
        <Value cents={valueCents} className="hidden xl:block" />
      ) : (
        <div className={cn('flex min-w-0 flex-1 flex-col', upright && item.imageUrl && 'mt-4')}>
          <ItemText {...text}>{children}</ItemText>
          {actions && <div className={cn('space-y-2 pt-3 empty:hidden', !facts && 'mt-auto')}>{actions}</div>}
        </div>
      )}
    </Root>
  )
}

interface PictureProps {
  item: ShownItem
  layout: Layout
  loading: ArtLoading
  className: string | undefined
  children: ReactNode
}

function Picture({ item, layout, loading, className, children }: PictureProps) {
  const { name, imageUrl, rarity = '' } = item
  if (!imageUrl) return null
  if (layout !== 'upright') {
    const isTiny = layout === 'tiny'
    const art = (
      <Art
        src={imageUrl}
        alt={isTiny ? name : ''}
        loading={loading}
        className={cn('base:h-20 w-auto shrink-0', className)}
      />
    )
    return isTiny ? <ItemLink item={item}>{art}</ItemLink> : art
  }
  return (
    <div className={cn('relative mx-auto base:w-3/5', className)}>
      <Slab item={{ name, imageUrl, rarity }} loading={loading} className="lift" />
      {children}
    </div>
  )
}

/** A placeholder for a loading card. */
export function ItemCardSkeleton({ pictureClassName }: { pictureClassName?: string }) {
  return (
    <div data-testid="item-skeleton" className="panel rounded-2xl p-4">
      <Skeleton className={cn('mx-auto aspect-[500/820] base:w-3/5 rounded-xl', pictureClassName)} />
      <Skeleton className="mt-4 h-4 w-20" />
      <Skeleton className="mt-3 h-10" />
      <Skeleton className="mt-3 h-4" />
      <Skeleton className="mt-4 h-10" />
    </div>
  )
}
