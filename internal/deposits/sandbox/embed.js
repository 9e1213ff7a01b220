// The embed script of the fake payment provider. Like the real one, it defines
// window.helioCheckout, but no money is paid.

const charges = new URL('../charges/', import.meta.url)

const texts = {
  en: {
    title: 'Test payment',
    badge: 'Sandbox',
    note: 'This simulates the payment provider. You won’t pay anything. Choose an outcome.',
    pay: 'Pay',
    fail: 'Simulate failure',
    pend: 'Leave pending',
    cancel: 'Cancel',
    again: 'Try again',
    loading: 'Loading…',
    working: 'One moment…',
    paid: 'Test payment complete.',
    failed: 'Test payment failed. Nothing was paid.',
    pending: 'Pending: sent but not on-chain yet. Press Pay or Simulate failure to finish.',
    expired: 'This payment has expired. Nothing was paid.',
    missing: 'We couldn’t load this payment.',
    unanswered: 'No response. Press again: you’ll never pay twice.',
    transaction: 'Transaction',
  },
  zh: {
    title: '模拟付款',
    badge: '测试模式',
    note: '模拟支付渠道，不会打开钱包，也不会扣款。请选择付款结果。',
    pay: '模拟付款成功',
    fail: '模拟付款失败',
    pend: '保持待确认',
    cancel: '取消',
    again: '重试',
    loading: '加载中…',
    working: '请稍候…',
    paid: '已模拟付款成功。',
    failed: '已模拟付款失败，未扣款。',
    pending: '确认中：交易已发送，尚未上链确认。可稍后再选成功或失败。',
    expired: '这笔付款已过期，未扣款。',
    missing: '无法加载这笔付款。',
    unanswered: '没有收到答复。可再次点击，不会重复付款。',
    transaction: '交易',
  },
}

// Same values as the web app (web/src/styles/tokens.css).
const sheet = new CSSStyleSheet()
sheet.replaceSync(`
  .card {
    --foreground: #f3f4f7; --raised: #181c26; --muted: #171b24; --muted-foreground: #9ba4b5;
    --line: rgb(255 255 255 / 0.085); --line-strong: rgb(255 255 255 / 0.17);
    --gold: #e5b85f; --gold-strong: #f2cb7c; --gold-foreground: #1d1503;
    --destructive-text: #ff8f92; --positive-text: #6fd6a0;
    --warning: #2a210d; --warning-foreground: #f3d08b; --ring: #f2cb7c;
    display: grid; gap: 1rem; padding: 1.25rem; border: 1px dashed var(--line-strong); border-radius: 0.875rem;
    background: var(--raised); color: var(--foreground); font-size: 0.875rem; line-height: 1.55; text-align: left;
  }
  .card.light {
    --foreground: #221c12; --raised: #fffefa; --muted: #ece5d6; --muted-foreground: #665b48;
    --line: rgb(60 44 14 / 0.13); --line-strong: rgb(60 44 14 / 0.26);
    --gold: #d9a544; --gold-strong: #c8912c; --gold-foreground: #221702;
    --destructive-text: #a8232a; --positive-text: #17693f;
    --warning: #f6e3b8; --warning-foreground: #5b3d05; --ring: #8a5a0b;
  }
  [hidden] { display: none !important; }
  p { margin: 0; }
  .head { display: flex; align-items: center; justify-content: space-between; gap: 0.75rem; }
  .title { font-weight: 600; }
  .badge {
    padding: 0.125rem 0.5rem; border-radius: 999px; font-size: 0.75rem; font-weight: 500;
    background: var(--warning); color: var(--warning-foreground);
  }
  .sum { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 0.75rem; font-variant-numeric: tabular-nums; }
  .amount { font-size: 2rem; line-height: 1.2; font-weight: 600; letter-spacing: -0.02em; }
  .coins, .note { color: var(--muted-foreground); }
  .said { min-height: 2.5rem; font-size: 0.8125rem; text-wrap: pretty; overflow-wrap: anywhere; }
  .paid { color: var(--positive-text); }
  .failed { color: var(--destructive-text); }
  .status { border-radius: 0.25rem; }
  .status code { display: block; font: inherit; font-size: 0.75rem; color: var(--muted-foreground); }
  .acts { display: flex; flex-wrap: wrap; gap: 0.625rem; }
  .acts:not(:has(:not([hidden]))) { display: none; }
  .wide { flex-basis: 100%; }
  button {
    flex: 1; height: 2.5rem; padding: 0 1rem; border: 1px solid var(--line-strong); border-radius: 0.5rem;
    background: none; color: inherit; font: inherit; font-weight: 500; cursor: pointer;
  }
  button:hover { background: var(--muted); }
  button.pay { height: 3rem; border: 0; border-radius: 0.75rem; background: var(--gold); color: var(--gold-foreground); font-size: 0.9375rem; }
  button.pay:hover { background: var(--gold-strong); }
  button.cancel { border-color: transparent; color: var(--muted-foreground); }
  button[aria-disabled='true'] { opacity: 0.5; cursor: default; }
  :focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; }
`)

/** Creates an element with properties and children. */
function createElement(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

function decimal(value, digits) {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

class Widget {
  constructor(element, options) {
    this.options = options
    this.texts = document.documentElement.lang.startsWith('zh') ? texts.zh : texts.en
    this.render(element.shadowRoot ?? element.attachShadow({ mode: 'open' }))
  }

  render(root) {
    const { texts: words } = this
    const button = (name, className) =>
      createElement('button', { type: 'button', className, textContent: words[name], onclick: () => this.press(name) })
    this.amount = createElement('p', { className: 'amount', id: 'amount', textContent: '…' })
    this.coins = createElement('p', { className: 'coins' })
    this.note = createElement('p', { className: 'note', textContent: words.note })
    this.status = createElement('p', { role: 'status', tabIndex: -1 })
    this.buttons = {
      pay: button('pay', 'pay wide'),
      fail: button('fail', ''),
      pend: button('pend', ''),
      again: button('again', 'wide'),
      cancel: button('cancel', 'cancel wide'),
    }
    this.buttons.pay.setAttribute('aria-describedby', 'amount')
    this.buttons.again.hidden = true
    const card = createElement(
      'div',
      { className: `card ${this.options.theme?.themeMode ?? ''}`, role: 'group', ariaLabel: words.title },
      createElement(
        'div',
        { className: 'head' },
        createElement('p', { className: 'title', textContent: words.title }),
        createElement('span', { className: 'badge', textContent: words.badge }),
      ),
      createElement('div', { className: 'sum' }, this.amount, this.coins),
      createElement('div', { className: 'said' }, this.note, this.status),
      createElement('div', { className: 'acts' }, ...Object.values(this.buttons)),
    )
    root.adoptedStyleSheets = [sheet]
    root.replaceChildren(card)
  }

  press(name) {
    if (name === 'cancel') this.options.onCancel?.()
    else if (this.busy) return
    else if (name === 'again') void this.load()
    else void this.performAction(name)
  }

  /** Sends a request to the fake provider. The result is `undefined` if there is no response. */
  async request(path, method) {
    this.setBusy(true)
    try {
      const url = new URL(`${encodeURIComponent(this.options.chargeToken)}${path}`, charges)
      const response = await fetch(url, { method })
      return { ok: response.ok, body: await response.json() }
    } catch {
      return undefined
    } finally {
      this.setBusy(false)
    }
  }

  setBusy(busy) {
    this.busy = busy
    for (const name of ['pay', 'fail', 'pend', 'again']) this.buttons[name].ariaDisabled = String(busy)
  }

  /** Loads and shows the charge. Returns the status of its payment, if there is one. */
  async load() {
    const response = await this.request('', 'GET')
    if (!response?.ok) {
      this.showButtons('again', 'cancel')
      this.showMessage('missing')
      return undefined
    }
    const { amountCents, lamports, expired, payment } = response.body
    this.amount.textContent = `$${decimal(amountCents / 100, 2)}`
    this.coins.textContent = `≈ ${decimal(lamports / 1e9, 6)} SOL`
    if (payment) {
      this.showPayment(payment)
    } else if (expired) {
      this.showButtons('cancel')
      this.showMessage('expired')
    } else {
      this.showButtons('pay', 'fail', 'pend', 'cancel')
      this.showMessage()
    }
    return payment?.meta.transactionStatus
  }

  async performAction(name) {
    this.options.onStartPayment?.()
    this.showMessage('working')
    const response = await this.request(`/${name}`, 'POST')
    if (!response) {
      this.showMessage('unanswered')
      return
    }
    if (!response.ok) {
      const status = await this.load()
      if (status !== 'SUCCESS') this.options.onError?.({ errorMessage: response.body.message })
      return
    }
    const transaction = response.body.meta.transactionSignature
    this.showPayment(response.body)
    if (name === 'fail') this.options.onError?.({ errorMessage: this.texts.failed, transaction })
    if (name === 'pend') this.options.onPending?.({ transaction })
  }

  /** Shows the payment's outcome. Reports a success also if the payment was made earlier. */
  showPayment(payment) {
    const { transactionStatus, transactionSignature: transaction } = payment.meta
    const [message, ...buttons] = {
      SUCCESS: ['paid'],
      FAILED: ['failed', 'cancel'],
      PENDING: ['pending', 'pay', 'fail', 'cancel'],
    }[transactionStatus]
    this.showButtons(...buttons)
    this.showMessage(message, transaction)
    if (transactionStatus === 'SUCCESS') this.options.onSuccess?.({ data: payment, transaction })
  }

  /** Shows only these buttons. If the focused one is hidden, focuses the status instead. */
  showButtons(...names) {
    const focused = this.status.getRootNode().activeElement
    for (const [name, button] of Object.entries(this.buttons)) button.hidden = !names.includes(name)
    if (focused?.hidden) this.status.focus()
  }

  showMessage(name, signature) {
    this.note.hidden = Boolean(name)
    this.status.className = `status ${name ?? ''}`
    this.status.replaceChildren(
      name ? this.texts[name] : '',
      signature
        ? createElement('code', {
            textContent: `${this.texts.transaction} ${signature.slice(0, 8)}…${signature.slice(-8)}`,
          })
        : '',
    )
  }
}

window.helioCheckout = (element, options) => {
  void new Widget(element, options).load()
}
