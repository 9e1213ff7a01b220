import { useT } from '@/i18n'
import { Badge } from './badge'

/** A torn-open pack, with the product's name if there is room. */
export function Logo({ expanded }: { expanded: boolean }) {
  const t = useT()
  return (
    <span className="flex items-center gap-2.5">
      <svg viewBox="0 0 32 32" aria-hidden className="size-8 shrink-0">
        <path d="M8 13.500 24 11v17a1.500 1.500 0 0 1-1.500 1.500h-13A1.500 1.500 0 0 1 8 28z" fill="var(--gold)" />
        <path
          d="m7.200 9.700 2.100-1.600 2 1 2-1.600 2 1 2-1.600 2 1 2-1.600 1.700.8.5 2.700-16 2.500z"
          fill="var(--gold-strong)"
          transform="rotate(-9 16 9)"
        />
        <path
          d="m16 15.500 1.500 3.200 3.500.4-2.600 2.400.7 3.500-3.100-1.800-3.100 1.800.7-3.500-2.600-2.400 3.500-.4z"
          fill="var(--gold-foreground)"
        />
      </svg>
      {expanded && (
        <>
          <span className="text-lg font-semibold tracking-tight">{t.shell.product}</span>
          <Badge variant="outline" className="text-[0.625rem]/[inherit] tracking-widest text-muted-foreground">
            {t.shell.beta}
          </Badge>
        </>
      )}
    </span>
  )
}
