import { randomBytes } from 'node:crypto'
import type { BrowserContext } from '@playwright/test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { base58 } from '../../src/features/auth/wallets/base58'
import { hearNothing } from './feed'

/** A payment provider and a node of the chain, as far as one payment asks them, in this process. */
export interface Provider {
  /** What the server is started with to ask it. */
  settings: Record<string, string>
  /** Leads a browser to the server by its public name, and to the script of the widget. */
  reach: (context: BrowserContext) => Promise<void>
  /** Closes a context that was made to reach it, once nothing is being passed on any more. */
  leave: (context: BrowserContext) => Promise<void>
  close: () => void
}

/** Money travels by https alone: the name of the shop, and of the provider's script. */
export const shop = 'https://shop.example'
const embed = 'https://embed.example/embed.js'
/** Where that script runs. */
const checkout = 'https://checkout.example'

const address = () => base58(randomBytes(32))
const treasury = address()
const payer = address()
const owed = 100_000_000 // lamports
/** Of which the treasury gets one too few. */
const came = owed - 1

/** The widget says at once, when its button is pressed, that it was paid. */
const honest = (signature: string) => `window.helioCheckout = (element, { onSuccess }) => {
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
      postBalances: [2 * owed - came, owed + came],
      preTokenBalances: [],
      postTokenBalances: [],
    },
    transaction: {
      signatures: [signature],
      message: { accountKeys: [payer, treasury], header: { numRequiredSignatures: 1 } },
    },
  }
}

/** A server that has another name outside does not tell at which port it listens. */
async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** A provider whose one charge is paid as soon as it is there, with a lamport too little. Its script may be another. */
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
  const behind = `127.0.0.1:${await freePort()}`
  return {
    settings: {
      KAIBAO_ADDR: behind,
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
      // Nobody outside this machine is asked: the price of SOL is the fallback.
      HTTPS_PROXY: 'http://127.0.0.1:9',
    },
    reach: async (context) => {
      await context.route(/^https:\/\/(shop|checkout)\.example\//, async (route) => {
        const { host, pathname, search } = new URL(route.request().url())
        const headers = { ...(await route.request().allHeaders()), host }
        await route.fulfill({ response: await route.fetch({ url: `http://${behind}${pathname}${search}`, headers }) })
      })
      // An answer without an end cannot be passed on.
      await hearNothing(context)
      await context.route(`${embed}*`, (route) =>
        route.fulfill({
          contentType: 'text/javascript',
          headers: { 'Access-Control-Allow-Origin': '*' },
          body: script ?? honest(signature),
        }),
      )
    },
    leave: async (context) => {
      await context.unrouteAll({ behavior: 'wait' })
      await context.close()
    },
    close: () => server.close(),
  }
}
