import { chromium, type Browser, type BrowserType } from '@playwright/test'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

type LaunchOptions = NonNullable<Parameters<BrowserType['launch']>[0]>

/** A browser for which every host is a reverse proxy with TLS. */
export interface TlsBrowser {
  browser: Browser
  /** Sends the requests for a host to the server at HOST:PORT. */
  route: (host: string, server: string) => void
  close: () => Promise<void>
}

/**
 * Starts it. Playwright's routes wouldn't do for what the browser itself requests, such as /.well-known/webauthn, and
 * that needs https.
 */
export async function startTlsBrowser(options: LaunchOptions): Promise<TlsBrowser> {
  const servers = new Map<string, string>()
  const proxy = createServer(await selfSigned(), (incoming, response) => {
    const [hostname, port] = servers.get(incoming.headers.host ?? '')?.split(':') ?? []
    if (!hostname) return response.writeHead(502).end()
    const { method, url, headers } = incoming
    const outgoing = request({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    return incoming.pipe(outgoing)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const browser = await chromium.launch({
    ...options,
    args: [...(options.args ?? []), `--host-resolver-rules=MAP * 127.0.0.1:${port}`, '--ignore-certificate-errors'],
  })
  return {
    browser,
    route: (host, server) => servers.set(host, server),
    close: async () => {
      await browser.close()
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

/** A key and a certificate that no browser trusts. */
async function selfSigned(): Promise<{ key: Buffer; cert: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'kaibao-tls-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const options = '-x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=shop.example'.split(' ')
  await promisify(execFile)('openssl', ['req', ...options, '-keyout', keyFile, '-out', certFile])
  const [key, cert] = await Promise.all([readFile(keyFile), readFile(certFile)])
  await rm(folder, { recursive: true })
  return { key, cert }
}
