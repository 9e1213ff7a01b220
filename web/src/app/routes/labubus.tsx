import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { LoopVideo } from '@/features/store/loop-video'
import { routesTexts } from './texts'
import { usePageTitle } from '@/lib/page-title'
import { Button } from '@/components/ui/button'
import { CommunityLinks } from '@/components/ui/community-links'
import { ConnectButton } from '@/components/ui/connect-button'
import { MotionSwitch } from '@/components/ui/motion-switch'

/** The video fills the page; the text is on its dark lower edge in both themes. */
export function LabubusPage() {
  const t = routesTexts.useT().labubus
  usePageTitle(t.title)
  return (
    <section className="on-dark relative mx-[calc(50%-50cqw)] -my-8 grid min-h-[calc(100dvh-6rem)] overflow-hidden bg-background text-foreground">
      <LoopVideo name="labubus" label={t.video} className="absolute inset-0 size-full object-cover" />
      <div className="relative flex flex-col items-start justify-end gap-5 bg-[linear-gradient(to_top,var(--background)_12%,color-mix(in_oklab,var(--background)_82%,transparent)_38%,transparent_78%)] p-8 pt-64 lg:p-14 lg:pt-72">
        <h1 className="text-5xl font-semibold tracking-tight">{t.title}</h1>
        <p className="max-w-xl text-lg text-pretty text-foreground">{t.text}</p>
        <div className="flex w-full flex-wrap items-center gap-3">
          <Button asChild size="lg">
            <Link to="/open-packs" hash="labubu">
              <span>{t.explore}</span>
              <ArrowRight aria-hidden />
            </Link>
          </Button>
          <ConnectButton size="lg" />
          <CommunityLinks className="flex gap-1" />
          <MotionSwitch variant="secondary" className="ml-auto" />
        </div>
      </div>
    </section>
  )
}
