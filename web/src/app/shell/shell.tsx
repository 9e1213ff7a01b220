import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useT } from '@/i18n'
import { config } from '@/lib/config'
import { useSession, useSignedIn } from '@/lib/session'
import { CommandPalette } from '../command-palette/command-palette'
import { DesktopOnly } from './desktop-only'
import { Footer } from './footer'
import { SandboxBanner } from './sandbox-banner'
import { Sidebar } from './sidebar'
import { PullStripSlot } from './pull-strip-slot'

// Nearly nobody sees it.
const DeletionBanner = lazy(() => import('./deletion-banner'))
const FrozenBanner = lazy(() => import('./frozen-banner'))
const RealityCheck = lazy(() => import('@/features/limits/reality-check'))

/** The layout of every page: sidebar, banners, footer. */
export function Shell() {
  const t = useT()
  const signedIn = useSignedIn()
  const { frozen, deletionDueAt } = useSession().user ?? {}
  const [expanded, setExpanded] = useState(isWide)
  const main = useFocusOnNavigation()
  // Tells boot.js that the page responds. React hydrates the remaining parts when they are pressed.
  useEffect(() => {
    window.dispatchEvent(new Event('page-ready'))
  }, [])
  return (
    <>
      <button
        type="button"
        onClick={() => main.current?.focus()}
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-lg focus:bg-gold focus:px-4 focus:py-2 focus:text-gold-foreground"
      >
        {t.shell.skipToContent}
      </button>
      <CommandPalette />
      <Suspense>{signedIn && <RealityCheck />}</Suspense>
      <div className="flex min-h-dvh">
        <Sidebar expanded={expanded} onToggle={() => setExpanded(!expanded)} />
        <div className="flex min-w-0 flex-1 flex-col">
          <DesktopOnly />
          {config.sandbox && <SandboxBanner />}
          <Suspense>{signedIn && frozen && <FrozenBanner reason={frozen.reason} />}</Suspense>
          <Suspense>{signedIn && deletionDueAt && <DeletionBanner dueAt={deletionDueAt} />}</Suspense>
          <PullStripSlot />
          <div className="showcase-light @container flex flex-1 flex-col">
            {/* At least as high as the window: the footer stays out of view while content replaces skeletons of another height. */}
            <main
              ref={main}
              tabIndex={-1}
              className="mx-auto min-h-dvh w-full max-w-7xl flex-1 px-4 py-8 outline-none md:px-8 print:min-h-0"
            >
              <Outlet />
            </main>
            <Footer />
          </div>
        </div>
      </div>
    </>
  )
}

/** Below the md width the sidebar begins folded. */
function isWide(): boolean {
  return !window.matchMedia('(width < 48rem)').matches
}

/** Moves the focus to the new page's content, so that a screen reader reads on there. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const pathname = useLocation({ select: (location) => location.pathname })
  const previous = useRef(pathname)
  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
