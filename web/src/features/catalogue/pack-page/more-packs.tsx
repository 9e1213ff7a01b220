import { Link } from '@tanstack/react-router'
import { useT } from '@/i18n'
import { categories } from '@/lib/categories'

/** Ways to the other shelves of the store. */
export function MorePacks() {
  const t = useT().catalogue
  return (
    <nav aria-label={t.pack.morePacks} className="flex flex-wrap items-center gap-1.5">
      <span className="mr-1.5 inline-block text-sm text-muted-foreground first-letter:uppercase">
        {t.pack.morePacks}
      </span>
      {categories.map((category) => (
        <Link
          key={category}
          to="/open-packs"
          hash={category}
          className="rounded-full border border-line-strong px-2.5 py-0.5 text-xs font-medium text-muted-foreground transition-colors hover:border-gold hover:text-foreground"
        >
          {t.categories[category]}
        </Link>
      ))}
    </nav>
  )
}
