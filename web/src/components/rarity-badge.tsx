import { cva, type VariantProps } from 'class-variance-authority'
import { useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { asRarity } from '@/lib/rarity'

const rarityBadgeVariants = cva(
  'inline-flex items-center gap-1.5 rounded-full border font-semibold whitespace-nowrap before:rounded-full before:bg-current before:content-[""]',
  {
    variants: {
      rarity: {
        Common: 'border-common/30 bg-common/10 text-common-text',
        Rare: 'border-rare/35 bg-rare/12 text-rare-text',
        Epic: 'border-epic/35 bg-epic/14 text-epic-text',
        Legendary: 'border-legendary/40 bg-legendary/14 text-legendary-text',
        Mythic: 'border-mythic/45 bg-linear-to-r from-mythic/20 to-mythic-2/20 text-mythic-text',
        Grail: 'border-mythic/45 bg-linear-to-r from-mythic/20 to-mythic-2/20 text-mythic-text',
      },
      size: {
        sm: 'px-2 py-px text-[0.6875rem] leading-4 before:size-1',
        md: 'px-2.5 py-0.5 text-xs leading-4 before:size-1.5',
        lg: 'px-3 py-1 text-sm leading-5 before:size-2',
      },
    },
    defaultVariants: { size: 'md' },
  },
)

interface RarityBadgeProps extends Pick<VariantProps<typeof rarityBadgeVariants>, 'size'> {
  /** The server's name of the rarity. */
  rarity: string
  className?: string
}

export function RarityBadge({ rarity, size, className }: RarityBadgeProps) {
  const t = useT()
  const tier = asRarity(rarity)
  return (
    <span className={cn(rarityBadgeVariants({ rarity: tier, size }), className)}>{t.catalogue.rarities[tier]}</span>
  )
}
