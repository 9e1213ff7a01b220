import { Link } from '@tanstack/react-router'
import { useT } from '@/i18n'
import { storeTexts } from '../texts'
import { config } from '@/lib/config'

/** Links to the store's other tabs. */
export function MorePacks() {
  const { categories: names } = useT().catalogue
  const t = storeTexts.useT().pack
  return (
    <nav aria-label={t.morePacks} className="flex flex-wrap items-center gap-1.5">
      <span className="mr-1.5 inline-block text-sm text-muted-foreground">{t.morePacks}</span>
      {config.catalogue.morePacks.map((category) => (
        <Link
          key={category}
          to="/open-packs"
          hash={category}
          className="rounded-full border border-line-strong px-2.5 py-0.5 text-xs font-medium text-muted-foreground transition-colors hover:border-gold hover:text-foreground"
        >
          {names[category]}
        </Link>
      ))}
    </nav>
  )
}
