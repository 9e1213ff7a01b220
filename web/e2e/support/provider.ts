import { randomBytes } from 'node:crypto'
import type { BrowserContext } from '@playwright/test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { base58 } from '../../src/features/auth/wallets/base58'
import { blockFeed } from './feed'

/** A fake payment provider and Solana node for one payment. */
export interface Provider {
  /** Environment of a server that uses it. */
  settings: Record<string, string>
  /** Routes a browser's requests for the public host names to the server and to the widget's script. */
  route: (context: BrowserContext) => Promise<void>
  /** Closes a routed context after its requests have finished. */
  closeContext: (context: BrowserContext) => Promise<void>
  close: () => void
}

/** Payments need https: the origins of the shop and of the provider's script. */
export const shop = 'https://shop.example'
const embed = 'https://embed.example/embed.js'
/** The origin where that script runs. */
const checkout = 'https://checkout.example'

const address = () => base58(randomBytes(32))
const treasury = address()
const payer = address()
const owed = 100_000_000 // lamports
/** One lamport too little. */
const received = owed - 1

/** A widget that reports a payment as soon as its button is pressed. */
const honestWidget = (signature: string) => `window.helioCheckout = (element, { onSuccess }) => {
  const button = Object.assign(document.createElement('button'), { textContent: 'Send' })
  button.onclick = () => onSuccess({ transaction: '${signature}' })
  element.append(button)
}`

function payment(signature: string, at: Date) {
  return {
    id: 'payment-1',
    paylinkId: 'paylink',
    fee: '0',
    createdAt: at.toISOString(),
    meta: {
      id: 'meta-1',
      amount: String(owed),
      totalAmount: String(owed),
      senderPK: payer,
      recipientPK: treasury,
      transactionSignature: signature,
      transactionStatus: 'SUCCESS',
      currency: { symbol: 'SOL', blockchain: { symbol: 'SOL' } },
      tokenQuote: { from: 'USD', fromAmountDecimal: '25.00', to: 'SOL', toAmountMinimal: String(owed) },
    },
  }
}

function transaction(signature: string, at: Date) {
  return {
    slot: 1,
    blockTime: Math.floor(at.getTime() / 1000),
    meta: {
      err: null,
      preBalances: [2 * owed, owed],
      postBalances: [2 * owed - received, owed + received],
      preTokenBalances: [],
      postTokenBalances: [],
    },
    transaction: {
      signatures: [signature],
      message: { accountKeys: [payer, treasury], header: { numRequiredSignatures: 1 } },
    },
  }
}

/** A server with a public URL doesn't print its port, so choose one. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Starts a provider whose one charge is immediately paid, but a lamport short. `script` replaces the widget. */
export async function startProvider(script?: string): Promise<Provider> {
  const signature = base58(randomBytes(64))
  let at = new Date()
  const answers: readonly [of: RegExp, answer: () => unknown][] = [
    [
      /^POST \/v1\/charge\/api-key/,
      () => {
        at = new Date()
        return { id: 'charge-1', pageUrl: 'https://pay.example/charge/token-1' }
      },
    ],
    [/^GET \/v1\/charge\/token-1$/, () => ({ id: 'charge-1', token: 'token-1', paylinkTx: payment(signature, at) })],
    [/^GET \/v1\/paylink\//, () => []],
    [/^POST \/rpc$/, () => ({ jsonrpc: '2.0', id: 1, result: transaction(signature, at) })],
  ]
  const server = createServer((request, response) => {
    const call = `${request.method} ${request.url}`
    const [, answer] = answers.find(([of]) => of.test(call)) ?? []
    response.setHeader('Content-Type', 'application/json')
    response.statusCode = answer ? 200 : 404
    response.end(JSON.stringify(answer?.() ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const serverAddress = `127.0.0.1:${await freePort()}`
  return {
    settings: {
      KAIBAO_ADDR: serverAddress,
      KAIBAO_PAYMENTS: 'helio',
      KAIBAO_PUBLIC_URL: shop,
      KAIBAO_PAYMENT_ORIGIN: checkout,
      KAIBAO_HELIO_PUBLIC_KEY: 'public',
      KAIBAO_HELIO_SECRET_KEY: 'secret',
      KAIBAO_HELIO_PAYLINK: 'paylink',
      KAIBAO_HELIO_WEBHOOK_TOKEN: 'token',
      KAIBAO_HELIO_URL: url,
      KAIBAO_HELIO_EMBED_URL: embed,
      KAIBAO_SOLANA_RPC_URL: `${url}/rpc`,
      KAIBAO_TREASURY: treasury,
      // Blocks outside requests, so the fallback price of SOL is used.
      HTTPS_PROXY: 'http://127.0.0.1:9',
    },
    route: async (context) => {
      await context.route(/^https:\/\/(shop|checkout)\.example\//, async (route) => {
        const { host, pathname, search } = new URL(route.request().url())
        const headers = { ...(await route.request().allHeaders()), host }
        await route.fulfill({
          response: await route.fetch({ url: `http://${serverAddress}${pathname}${search}`, headers }),
        })
      })
      // Playwright can't forward an endless response.
      await blockFeed(context)
      await context.route(`${embed}*`, (route) =>
        route.fulfill({
          contentType: 'text/javascript',
          headers: { 'Access-Control-Allow-Origin': '*' },
          body: script ?? honestWidget(signature),
        }),
      )
    },
    closeContext: async (context) => {
      await context.unrouteAll({ behavior: 'wait' })
      await context.close()
    },
    close: () => server.close(),
  }
}
