import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { FairSteps } from '@/features/catalogue/fair-steps'
import { Hero } from '@/features/catalogue/hero'
import { PacksRow } from '@/features/catalogue/packs-row'
import { useT } from '@/i18n'
import { usePageTitle } from '@/lib/page-title'
import { usePackOpening } from '../use-pack-opening'

export function HomePage() {
  const t = useT().catalogue.home
  usePageTitle()
  const { action, dialog } = usePackOpening()
  return (
    <div className="space-y-14 small-device:hidden">
      <Hero />
      <section aria-labelledby="packs">
        <div className="mb-6 flex items-baseline justify-between">
          <h2 id="packs" className="text-xl font-semibold tracking-tight">
            {t.packsHeading}
          </h2>
          <Link
            to="/open-packs"
            className="inline-flex items-center gap-1.5 text-sm font-medium text-gold-text hover:underline"
          >
            {t.allPacks}
            <ArrowRight aria-hidden className="size-4" />
          </Link>
        </div>
        <PacksRow action={action} />
      </section>
      <FairSteps />
      {dialog}
    </div>
  )
}
