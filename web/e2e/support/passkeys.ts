import type { CDPSession, Page } from '@playwright/test'
import * as en from '../../src/i18n/texts/en'
import * as zh from '../../src/i18n/texts/zh'
import { passkey as passkeyEn } from '../../src/features/auth/texts/en'
import { passkey as passkeyZh } from '../../src/features/auth/texts/zh'
import { expect } from './server'

/** A page's calls of WebAuthn by their outcome, and the secrets they returned. */
export interface WebAuthnCalls {
  /** Calls without an outcome yet: the browser's prompt is open. */
  open: number
  created: number
  used: number
  /** Prompts that the page closed. */
  aborted: number
  /** PRF outputs in hexadecimal */
  secrets: string[]
}

/** A virtual device that holds passkeys, attached to a page. */
export interface Authenticator {
  /** Ids of the passkeys on it, in base64. */
  credentials: () => Promise<string[]>
  /** Number of signatures of all its passkeys. */
  signatures: () => Promise<number>
  /** Whether the user touches the device as soon as it asks. If not, prompts stay open. */
  setPresent: (present: boolean) => Promise<void>
  /** Whether the user cancels the browser's prompts, which headless browsers don't show. */
  setCanceling: (canceling: boolean) => Promise<void>
  /** Has the device refuse the user from now on: after failed checks it is locked. */
  lock: () => Promise<void>
  remove: (credentialId: string) => Promise<void>
  /** Everything it holds except the PRF secrets, which can't be copied. */
  copyTo: (other: Authenticator) => Promise<void>
  add: (credential: object) => Promise<void>
  calls: WebAuthnCalls
}

/** Attaches a device to a page, and counts what the page asks of it. */
export async function addAuthenticator(page: Page, { hasPrf = true } = {}): Promise<Authenticator> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf,
    },
  })
  const list = async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  const add = async (credential: object) => {
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: credential as never })
  }
  return {
    credentials: async () => (await list()).map(({ credentialId }) => credentialId),
    signatures: async () => (await list()).reduce((sum, { signCount }) => sum + signCount, 0),
    setPresent: async (present) => {
      await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: present })
    },
    setCanceling: (canceling) =>
      page.evaluate((value) => {
        Object.assign(window, { cancelsPrompts: value })
      }, canceling),
    lock: async () => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    },
    remove: async (credentialId) => {
      await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
    },
    copyTo: async (other) => {
      for (const credential of await list()) await other.add(credential)
    },
    add,
    calls: await watchWebAuthn(page),
  }
}

type Outcome = 'created' | 'used' | 'aborted' | 'failed'

async function watchWebAuthn(page: Page): Promise<WebAuthnCalls> {
  const calls: WebAuthnCalls = { open: 0, created: 0, used: 0, aborted: 0, secrets: [] }
  await page.exposeFunction('webAuthnBegins', () => {
    calls.open += 1
  })
  await page.exposeFunction('webAuthnEnds', (outcome: Outcome, secret = '') => {
    calls.open -= 1
    if (outcome !== 'failed') calls[outcome] += 1
    if (secret) calls.secrets.push(secret)
  })
  await page.addInitScript(() => {
    const { webAuthnBegins, webAuthnEnds } = window as unknown as {
      webAuthnBegins: () => Promise<void>
      webAuthnEnds: (outcome: Outcome, secret?: string) => Promise<void>
    }
    const watch = (name: 'create' | 'get', success: Outcome) => {
      const original = navigator.credentials[name].bind(navigator.credentials)
      Object.assign(navigator.credentials, {
        [name]: async (options: object) => {
          if ((window as { cancelsPrompts?: boolean }).cancelsPrompts)
            throw new DOMException('The operation either timed out or was not allowed.', 'NotAllowedError')
          await webAuthnBegins()
          try {
            const credential = await original(options)
            const first =
              credential instanceof PublicKeyCredential
                ? credential.getClientExtensionResults().prf?.results?.first
                : undefined
            const bytes = first ? new Uint8Array(first as ArrayBuffer) : new Uint8Array()
            await webAuthnEnds(success, [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''))
            return credential
          } catch (error) {
            await webAuthnEnds(error instanceof DOMException && error.name === 'AbortError' ? 'aborted' : 'failed')
            throw error
          }
        },
      })
    }
    if (!('credentials' in navigator)) return
    watch('create', 'created')
    watch('get', 'used')
  })
  return calls
}

/** The texts of the wallet list and of the passkey wallet, by locale. */
export const words = {
  'en-US': { identity: en.identity, user: en.shell.user, passkey: passkeyEn },
  'zh-CN': { identity: zh.identity, user: zh.shell.user, passkey: passkeyZh },
}

/** What a visitor does with a passkey wallet on a page. */
export function passkeyUser(page: Page, { identity, user, passkey }: (typeof words)['en-US'] = words['en-US']) {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const connectButton = button(user.connectWallet).first()
  const logoutButton = button(user.logOut)
  const list = page.getByRole('dialog').getByRole('list', { name: identity.wallets })
  const row = (name: string) => list.getByRole('button', { name })
  const dialog = (title: string) => page.getByRole('dialog', { name: title, exact: true })

  async function openWallets(): Promise<void> {
    await connectButton.click()
    await expect(dialog(identity.connectTitle)).toBeVisible()
  }

  /** Presses the button of the dialog with this title. */
  async function agree(title: string, confirm: string): Promise<void> {
    await dialog(title).getByRole('button', { name: confirm, exact: true }).click()
  }

  /** Agrees to sign the text in the dialog. Returns the text. */
  async function signText(): Promise<string> {
    const text = await dialog(passkey.sign.title).locator('pre').innerText()
    await agree(passkey.sign.title, passkey.sign.confirm)
    await expect(dialog(passkey.sign.title)).toBeHidden()
    return text
  }

  /** The address of the session's wallet. */
  async function address(): Promise<string> {
    await expect(logoutButton).toBeVisible()
    return page.evaluate(async () => {
      const answer = (await (await fetch('/api/auth/user')).json()) as { walletAddress: string }
      return answer.walletAddress
    })
  }

  return {
    connectButton,
    logoutButton,
    use: row(identity.usePasskey),
    create: row(identity.createPasskey),
    list,
    dialog,
    alert: page.getByRole('dialog').getByRole('alert'),
    openWallets,
    agree,
    signText,
    address,
    /** Creates a wallet and signs in with it. Returns its address. */
    async createWallet(): Promise<string> {
      await openWallets()
      await row(identity.createPasskey).click()
      await agree(passkey.create.title, passkey.create.confirm)
      await signText()
      return address()
    },
    /** Signs in with a passkey that exists. Returns its address. */
    async signIn(): Promise<string> {
      await openWallets()
      await row(identity.usePasskey).click()
      await signText()
      return address()
    },
    async signOut(): Promise<void> {
      await logoutButton.click()
      await expect(connectButton).toBeVisible()
    },
  }
}

/**
 * Leaves the browser as another profile has it: without cookies and storage, but with the synced passkeys. A second
 * context wouldn't do, because a virtual device belongs to one page and its PRF secrets can't be copied.
 */
export async function becomeAnotherProfile(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  await page.context().clearCookies()
  await page.evaluate(() => sessionStorage.clear())
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  // The session stays attached: detaching it would remove the device.
  await page.goto('/')
}
