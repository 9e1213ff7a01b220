// Stands in the page itself, which waits for it. Runs before the first paint, so that a light page never flashes dark.
// Kept in step with lib/theme.ts.
if (localStorage.getItem('theme') === 'light') document.documentElement.classList.add('light')

// The server has drawn the page for the browser's language and a wide window. Where it is another one, nothing is
// seen until the app has drawn it. Kept in step with i18n.
const wanted = localStorage.getItem('language') ?? (/^en\b/i.test(navigator.language) ? 'en' : 'zh')
const fits = document.documentElement.lang.startsWith(wanted) && !matchMedia('(width < 48rem)').matches
document.documentElement.classList.add(fits ? 'unseen' : 'undrawn')

// What is pressed before the app answers is kept, the last of it, and pressed again once it does: a key, or what
// stands at the same place by the same name.
let press
const controlAt = ({ clientX, clientY }) =>
  document.elementFromPoint(clientX, clientY)?.closest('a, button, input, label, summary, textarea')
const nameOf = (control) => control && `${control.tagName} ${control.ariaLabel ?? control.textContent}`
function keepClick(click) {
  const drawn = document.querySelector('#root > [inert]')
  if (!drawn) return
  drawn.inert = false
  const name = nameOf(controlAt(click))
  drawn.inert = true
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
addEventListener(
  'app-answers',
  () => {
    removeEventListener('click', keepClick, true)
    removeEventListener('keydown', keepKey, true)
    press?.()
  },
  { once: true },
)

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

addEventListener('DOMContentLoaded', async () => {
  if (!fits) {
    document.getElementById('root').replaceChildren()
  } else {
    await seen()
  }
  document.documentElement.classList.remove('unseen', 'undrawn')
  const pieces = JSON.parse(document.getElementById('pieces')?.textContent ?? '[]')
  // Asked for only now, and each in a task of its own: to ask, and to read the answer, takes the thread that draws,
  // and there are a score of them.
  for (const href of pieces) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }))
    await globalThis.scheduler?.yield?.()
  }
  // In the order in which they need each other, so that the page answers in between; the last one starts the app.
  for (const href of pieces) await import(href)
})
