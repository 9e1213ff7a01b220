import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { useT } from '@/i18n'
import { storeTexts } from './texts'
import { Button } from '@/components/ui/button'
import { CommunityLinks } from '@/components/ui/community-links'
import { ConnectButton } from '@/components/ui/connect-button'
import { HeroPictures } from './hero-pictures'

export function Hero() {
  const t = useT()
  const home = storeTexts.useT().home
  return (
    <section className="grid items-center gap-10 py-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)] xl:gap-14">
      <div>
        <p className="flex items-center gap-3 text-sm">
          <LiveBadge text={home.live} />
          <span className="text-muted-foreground">{t.shell.tagline}</span>
        </p>
        <h1 className="mt-5 text-[clamp(2.5rem,4.2vw,3.75rem)] leading-[1.06] font-semibold tracking-[-0.025em]">
          {home.heading}
        </h1>
        <p className="mt-5 max-w-lg text-[1.0625rem] leading-relaxed text-pretty text-muted-foreground">{home.text}</p>
        <div className="mt-8 flex flex-wrap items-center gap-3">
          <Button asChild size="lg">
            <Link to="/open-packs">
              <span>{home.grabAPack}</span>
              <ArrowRight aria-hidden />
            </Link>
          </Button>
          <ConnectButton size="lg" />
        </div>
        <CommunityLinks className="mt-8 flex gap-1" />
      </div>
      <HeroPictures />
    </section>
  )
}

function LiveBadge({ text }: { text: string }) {
  return (
    <span className="inline-flex items-center gap-2 rounded-full border border-line-strong px-2.5 py-0.5 text-xs font-semibold">
      <span aria-hidden className="relative flex size-2">
        <span className="absolute inset-0 animate-ping [animation-delay:3s]! [animation-iteration-count:4]! rounded-full bg-positive-text opacity-60 motion-reduce:animate-none" />
        <span className="relative size-2 rounded-full bg-positive-text" />
      </span>
      <span>{text}</span>
    </span>
  )
}
