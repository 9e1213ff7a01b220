import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useT } from '@/i18n'
import { config } from '@/lib/config'
import { DesktopOnly } from './desktop-only'
import { Footer } from './footer'
import { SandboxBanner } from './sandbox-banner'
import { Sidebar } from './sidebar'

/** What surrounds every page: sidebar, banners, footer. Below the md width only a banner is left. */
export function Shell() {
  const t = useT()
  const [expanded, setExpanded] = useState(true)
  const main = useFocusOnNavigation()
  return (
    <>
      <button
        type="button"
        onClick={() => main.current?.focus()}
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-lg focus:bg-gold focus:px-4 focus:py-2 focus:text-gold-foreground max-md:hidden"
      >
        {t.shell.skipToContent}
      </button>
      <DesktopOnly />
      <div className="hidden min-h-dvh md:flex">
        <Sidebar expanded={expanded} onToggle={() => setExpanded(!expanded)} />
        <div className="flex min-w-0 flex-1 flex-col">
          {config.sandbox && <SandboxBanner />}
          <div className="showcase-light flex flex-1 flex-col">
            <main ref={main} tabIndex={-1} className="mx-auto w-full max-w-7xl flex-1 px-8 py-8 outline-none">
              <Outlet />
            </main>
            <Footer />
          </div>
        </div>
      </div>
    </>
  )
}

/** Moves the focus to the new page's content, so that a screen reader reads on there. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const previous = useRef(pathname)
  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
