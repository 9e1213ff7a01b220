// Runs the provider's embed script in a page of a different origin than the shop's and reports
// the result only to the shop. It accepts no messages: the charge is in the URL.

const container = document.querySelector('#payment')
const { embed, network, shop } = container.dataset
const retryAfter = 2000 // ms

function notifyShop(type, fields) {
  window.parent.postMessage({ source: 'kaibao-payment', type, ...fields }, shop)
}

/** Loads the embed script. Browsers cache a failed module by its URL, so the retry changes the URL. */
async function load() {
  try {
    await addScript(embed)
  } catch {
    await new Promise((resolve) => setTimeout(resolve, retryAfter))
    const retry = new URL(embed, location.href)
    retry.searchParams.set('retry', '1')
    await addScript(retry)
  }
}

function addScript(url) {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), {
      type: 'module',
      crossOrigin: 'anonymous',
      src: url,
      onerror: reject,
      onload: () => (window.helioCheckout ? resolve() : reject(new Error('the script defines no widget'))),
    })
    document.head.append(script)
  })
}

/** Picks one text field of a widget event for the shop. */
function textField(event, name) {
  return typeof event?.[name] === 'string' ? { [name === 'errorMessage' ? 'message' : name]: event[name] } : {}
}

function open(chargeToken) {
  window.helioCheckout(container, {
    chargeToken,
    network,
    display: 'inline',
    theme: { themeMode: document.documentElement.className },
    onStartPayment: () => notifyShop('started'),
    onPending: () => notifyShop('pending'),
    onSuccess: (event) => notifyShop('success', textField(event, 'transaction')),
    onError: (event) => notifyShop('error', textField(event, 'errorMessage')),
    onCancel: () => notifyShop('cancel'),
  })
}

/** Reports the widget's height to the shop when it changes, and `ready` before the first time. */
function reportHeight() {
  let last = 0
  new ResizeObserver(() => {
    const px = Math.ceil(document.body.getBoundingClientRect().height)
    if (container.getBoundingClientRect().height === 0 || px === last) return
    if (last === 0) notifyShop('ready')
    last = px
    notifyShop('height', { px })
  }).observe(container)
}

async function start() {
  const token = /^#([\w-]{1,128})$/.exec(location.hash)?.[1]
  try {
    if (!token) throw new Error('the URL has no charge token')
    await load()
    reportHeight()
    open(token)
  } catch {
    notifyShop('unavailable')
  }
}

// Key presses in the frame don't reach the shop.
window.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.defaultPrevented) notifyShop('cancel')
})

// Reload for another charge in the same frame.
window.addEventListener('hashchange', () => location.reload())
void start()
