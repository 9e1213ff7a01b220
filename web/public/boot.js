// Stands at the end of the page itself: all that the first frame needs is in the page and its styles.

const { classList } = document.documentElement

// What is pressed before the app answers is kept, the last of it, and pressed again once it does: a key, or what
// stands at the same place by the same name.
let press
const controlAt = ({ clientX, clientY }) =>
  document.elementFromPoint(clientX, clientY)?.closest('a, button, input, label, summary, textarea')
const nameOf = (control) => control && `${control.tagName} ${control.ariaLabel ?? control.textContent}`
const sentPage = () => document.getElementById('sent')
function keepClick(click) {
  const sent = sentPage()
  // The app's sidebar answers a frame later than the rest of it.
  if (!sent || click.target.matches('#root :not(aside)')) return
  sent.inert = false
  const name = nameOf(controlAt(click))
  sent.inert = true
  press = () => {
    const control = controlAt(click)
    if (!name || nameOf(control) !== name) return
    control.focus()
    control.click()
  }
}
function keepKey(key) {
  press = () => document.body.dispatchEvent(new KeyboardEvent(key.type, key))
}
addEventListener('click', keepClick, true)
addEventListener('keydown', keepKey, true)

// The app takes the place of the page as it was sent in two frames, each of which is half as long a task: first all but
// the sidebar, which is most of the elements, and then that. The styles say what it looks like meanwhile (`arriving`).
addEventListener(
  'app-drawn',
  () => {
    const sidebar = document.querySelector('#sent > aside')
    if (!sidebar) return
    // Emptied and not removed: an element that becomes its parent's first one has all that is in it styled anew.
    for (const other of sentPage().children) if (other !== sidebar) other.replaceChildren()
    classList.add('arriving')
  },
  { once: true },
)
addEventListener(
  'app-answers',
  async () => {
    removeEventListener('keydown', keepKey, true)
    await nextFrame()
    removeEventListener('click', keepClick, true)
    sentPage()?.remove()
    classList.remove('arriving')
    press?.()
  },
  { once: true },
)

const yearSeconds = 365 * 24 * 60 * 60

// The server draws by cookies, which end sooner than what is kept here, and which who chose before there were any has
// not. To read what is kept makes the page wait for another process: it waits until the page is seen. Kept in step with
// lib/preference.ts and lib/theme.ts.
function rememberChoices() {
  for (const name of ['theme', 'language']) {
    const chosen = localStorage.getItem(name)
    document.cookie = `${name}=${chosen}; path=/; samesite=lax; max-age=${chosen ? yearSeconds : 0}`
  }
  classList.toggle('light', localStorage.getItem('theme') === 'light')
}

const longestWaitMs = 1000

// What is drawn is on the screen before any of the app's code runs, which would take the processor from it. A browser
// that tells nobody of its paints, or that nobody looks at, is not waited for.
function seen() {
  return new Promise((resolve) => {
    if (document.hidden) return resolve()
    document.addEventListener('visibilitychange', resolve, { once: true })
    setTimeout(resolve, longestWaitMs)
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
  })
}

/** The task after the next frame; a window that nobody looks at has none. */
function nextFrame() {
  return new Promise((resolve) => {
    if (document.hidden) return resolve()
    setTimeout(resolve, longestWaitMs)
    requestAnimationFrame(() => setTimeout(resolve))
  })
}

addEventListener('DOMContentLoaded', async () => {
  // Hidden where it is drawn in a language that nobody asked for, or for another width.
  const sent = sentPage()
  if (sent && !classList.contains('undrawn') && !matchMedia('(width < 48rem)').matches) {
    await seen()
    for (const held of ['unseen', 'soon-unseen']) {
      classList.remove(held)
      await nextFrame()
    }
  } else {
    sent?.remove()
  }
  classList.remove('unseen', 'soon-unseen', 'below-unseen', 'undrawn')
  try {
    rememberChoices()
  } catch {
    // The browser blocks storage. The app starts all the same.
  }
  const { calls, pieces } = JSON.parse(document.getElementById('needed')?.textContent ?? '{"calls":[],"pieces":[]}')
  const asked = [
    ...calls.map((href) => ({ rel: 'preload', as: 'fetch', crossOrigin: 'use-credentials', href })),
    ...pieces.map((href) => ({ rel: 'modulepreload', crossOrigin: '', href })),
  ]
  // Asked for only now, and each in a task of its own: to ask, and to read the answer, takes the thread that draws,
  // and there are a score of them.
  for (const link of asked) {
    document.head.append(Object.assign(document.createElement('link'), link))
    await globalThis.scheduler?.yield?.()
  }
  // In the order in which they need each other, so that the page answers in between; the last one starts the app.
  for (const href of pieces) await import(href)
})
