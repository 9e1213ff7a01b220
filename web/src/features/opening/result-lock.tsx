import { Link } from '@tanstack/react-router'
import { useOpeningT } from './texts'
import { Skeleton } from '@/components/ui/skeleton'

/** The server's commitment; undefined while it loads. */
export function ResultLock({ commitment }: { commitment: string | undefined }) {
  const t = useOpeningT().opening.intro
  return (
    <div className="flex gap-4 p-4">
      <Stamp />
      <div className="min-w-0 flex-1">
        <p className="text-sm font-semibold text-gold-text">{t.lock}</p>
        {commitment ? (
          <p className="max-w-[32ch] font-mono text-xs leading-5 break-all">{commitment}</p>
        ) : (
          <>
            <span className="sr-only">{t.lockLoading}</span>
            <Skeleton className="my-1 h-8 w-full" />
          </>
        )}
        <p className="mt-1.5 text-xs leading-relaxed text-muted-foreground">
          <span>{t.lockHelp}</span> {/* A new window, so that the dialog stays open. */}
          <Link to="/fairness" target="_blank" className="text-gold-text underline underline-offset-4">
            {t.howItWorks}
          </Link>
        </p>
      </div>
    </div>
  )
}

const lobes = 18
const scallop = Array.from({ length: lobes * 2 }, (_, i) => {
  const angle = (i * Math.PI) / lobes
  const radius = i % 2 ? 19.2 : 22.6
  return `${(24 + radius * Math.sin(angle)).toFixed(1)} ${(24 - radius * Math.cos(angle)).toFixed(1)}`
}).join(' ')

function Stamp() {
  return (
    <svg viewBox="0 0 48 48" aria-hidden className="size-12 shrink-0">
      <polygon points={scallop} fill="var(--gold)" stroke="var(--gold)" strokeWidth="2.4" strokeLinejoin="round" />
      <circle
        cx="24"
        cy="24"
        r="15"
        fill="none"
        stroke="var(--gold-foreground)"
        strokeOpacity=".35"
        strokeWidth="1.2"
      />
      <g fill="none" stroke="var(--gold-foreground)" strokeOpacity=".8" strokeWidth="2.2" strokeLinecap="round">
        <rect
          x="17.5"
          y="22.5"
          width="13"
          height="9.5"
          rx="2.2"
          fill="var(--gold-foreground)"
          fillOpacity=".8"
          stroke="none"
        />
        <path d="M20 22v-2.6a4 4 0 0 1 8 0V22" />
      </g>
    </svg>
  )
}
