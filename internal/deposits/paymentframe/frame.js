// Runs the provider's embed script in a page of a different origin than the shop's and reports
// the result only to the shop. It accepts no messages: the charge is in the URL.

const place = document.querySelector('#payment')
const { embed, network, shop } = place.dataset
const retryAfter = 2000 // ms

function tell(type, more) {
  window.parent.postMessage({ source: 'kaibao-payment', type, ...more }, shop)
}

/** A script that failed is remembered by its address: another try needs another one. */
async function load() {
  try {
    await add(embed)
  } catch {
    await new Promise((resolve) => setTimeout(resolve, retryAfter))
    const again = new URL(embed, location.href)
    again.searchParams.set('retry', '1')
    await add(again)
  }
}

function add(address) {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), {
      type: 'module',
      crossOrigin: 'anonymous',
      src: address,
      onerror: reject,
      onload: () => (window.helioCheckout ? resolve() : reject(new Error('the script defines no widget'))),
    })
    document.head.append(script)
  })
}

/** What the widget says that the shop reads; all else is the provider's. */
function text(of, name) {
  return typeof of?.[name] === 'string' ? { [name === 'errorMessage' ? 'message' : name]: of[name] } : {}
}

function open(chargeToken) {
  window.helioCheckout(place, {
    chargeToken,
    network,
    display: 'inline',
    theme: { themeMode: document.documentElement.className },
    onStartPayment: () => tell('started'),
    onPending: () => tell('pending'),
    onSuccess: (event) => tell('success', text(event, 'transaction')),
    onError: (event) => tell('error', text(event, 'errorMessage')),
    onCancel: () => tell('cancel'),
  })
}

/** Tells how high the widget is, and the first time that it is there. */
function measure() {
  let last = 0
  new ResizeObserver(() => {
    const px = Math.ceil(document.body.getBoundingClientRect().height)
    if (place.getBoundingClientRect().height === 0 || px === last) return
    if (last === 0) tell('ready')
    last = px
    tell('height', { px })
  }).observe(place)
}

async function start() {
  const token = /^#([\w-]{1,128})$/.exec(location.hash)?.[1]
  try {
    if (!token) throw new Error('no charge is named')
    await load()
    measure()
    open(token)
  } catch {
    tell('unavailable')
  }
}

// Key presses in the frame don't reach the shop.
window.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.defaultPrevented) tell('cancel')
})

// Reload for another charge in the same frame.
window.addEventListener('hashchange', () => location.reload())
void start()
