import './page-config'
import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, expect } from 'vitest'
import { showLanguage } from '@/i18n'
import { guardComposedKeys } from '@/lib/ime'
import { takeUnexpectedCalls } from './stub-api'

// Browser APIs that Radix needs and jsdom lacks.
class NoopObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= NoopObserver
globalThis.IntersectionObserver ??= NoopObserver as unknown as typeof IntersectionObserver
window.matchMedia ??= (query) =>
  ({
    matches: false,
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }) as unknown as MediaQueryList
window.scrollTo = () => {}
Object.assign(window, { isSecureContext: true })
HTMLElement.prototype.showPopover ??= () => {}
HTMLMediaElement.prototype.play = () => Promise.resolve()
HTMLMediaElement.prototype.pause = () => {}
Element.prototype.scrollIntoView ??= () => {}
Element.prototype.hasPointerCapture ??= () => false
Element.prototype.releasePointerCapture ??= () => {}

guardComposedKeys()

// Testing Library sets this only in a worker's first file.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

// Lazy parts load slowly on a busy machine. Almost as long as a test's timeout.
configure({ asyncUtilTimeout: 25_000 })

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  expect(takeUnexpectedCalls(), 'calls without a stubbed response').toEqual([])
})

await showLanguage('en')
