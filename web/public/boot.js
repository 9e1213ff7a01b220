// Inlined at the end of each pre-rendered page: keeps what the visitor does until the page responds, and starts the app
// after the first frame.

// Links work without the app. Other controls need it: the last press or key is repeated on `page-ready`, and text that
// was typed is announced.
let repeat
const nameOf = (control) => control.ariaLabel ?? control.textContent
const typed = new Set()
const keep = {
  click(event) {
    const control = event.target.closest('a[href], button, label, input')
    if (!control || control.matches('a[href], input:not([type=checkbox], [type=radio])')) return
    event.preventDefault()
    event.stopPropagation()
    const name = nameOf(control)
    repeat = () => {
      // The app may have replaced the page.
      const others = control.isConnected ? [control] : [...document.querySelectorAll(control.localName)]
      others.find((other) => nameOf(other) === name)?.click()
    }
  },
  submit(event) {
    event.preventDefault()
    repeat = () => event.target.requestSubmit()
  },
  keydown(event) {
    event.stopPropagation()
    repeat = () => event.target.dispatchEvent(new KeyboardEvent('keydown', event))
  },
  input: ({ target }) => typed.add(target),
}
for (const [type, listener] of Object.entries(keep)) addEventListener(type, listener, true)

/** Tells React of a value that was there when it hydrated the field: it reacts to changes only. */
function announce(field) {
  if (field.type !== 'file') {
    const { value } = field
    field.value = ''
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, value)
  }
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

function release() {
  document.getElementById('root').removeAttribute('data-prerendered')
  for (const [type, listener] of Object.entries(keep)) removeEventListener(type, listener, true)
  for (const field of typed) announce(field)
  repeat?.()
}
// In a task of its own: during its own work React can't hydrate the rest of the page for an event.
addEventListener('page-ready', () => setTimeout(release), { once: true })

/** Imports a chunk, and retries until it arrives, with growing delays up to half a minute. */
async function load(href) {
  for (let waitMs = 1000; ; waitMs = Math.min(2 * waitMs, 30_000)) {
    try {
      return await import(href)
    } catch {
      await new Promise((resume) => setTimeout(resume, waitMs))
    }
  }
}

async function startApp() {
  const needed = document.getElementById('needed')
  if (!needed) return // not pre-rendered
  const { calls, chunks } = JSON.parse(needed.textContent)
  const links = [
    ...calls.map((href) => ({ rel: 'preload', as: 'fetch', crossOrigin: 'use-credentials', href })),
    ...chunks.map((href) => ({ rel: 'modulepreload', crossOrigin: '', href })),
  ]
  for (const link of links) document.head.append(Object.assign(document.createElement('link'), link))
  // One by one, in the order of their dependencies, so that the page can respond in between. The last starts the app.
  for (const href of chunks) await load(href)
}

// Code that runs before the first frame would delay it. Hidden windows have no frames.
addEventListener('DOMContentLoaded', () => {
  if (document.hidden) void startApp()
  else requestAnimationFrame(() => setTimeout(startApp))
})
