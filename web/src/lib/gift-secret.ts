import { fromHex, toHex } from './protocol/bytes'
import { sha256 } from './protocol/hash'
import { localStore, sessionStore } from './storage'
import { createStore, useStore } from './store'

// A gift link is `/gift/{id}#{secret}`. Browsers don't send the part after `#`, so the secret reaches the server only in
// the bodies of the requests that view and accept the gift.

const secretBytes = 16

/** Creates the secret of a gift link: 128 random bits in hex. */
export function createGiftSecret(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(secretBytes)))
}

/** The SHA-256 of a secret's bytes in hex, which is all that the server stores. */
export async function giftSecretHash(secret: string): Promise<string> {
  const bytes = fromHex(secret, secretBytes)
  if (!bytes) throw new Error('not a gift secret')
  return toHex(await sha256(bytes))
}

/** The address that opens a gift. */
export function giftLink(giftId: string, secret: string): string {
  return `${window.location.origin}/gift/${giftId}#${secret}`
}

const givenKey = (giftId: string) => `gift:${giftId}`
const openedKey = (giftId: string) => `gift-opened:${giftId}`

/** Keeps the secret of a gift that was given in this browser: nobody else has it. */
export function keepGivenSecret(giftId: string, secret: string): void {
  localStore.setItem(givenKey(giftId), secret)
}

/** The secret of a gift that was given in this browser. */
export function givenSecret(giftId: string): string | undefined {
  return localStore.getItem(givenKey(giftId)) ?? undefined
}

/** Removes the secret of a gift that has ended. */
export function forgetGivenSecret(giftId: string): void {
  localStore.removeItem(givenKey(giftId))
}

/** The secret of a gift link that was opened in this tab or made in this browser. */
export function knownSecret(giftId: string): string | undefined {
  return sessionStore.getItem(openedKey(giftId)) ?? givenSecret(giftId)
}

/** By gift: how many links with a secret this page has opened, 0 for an incomplete link. */
const openedLinks = createStore<ReadonlyMap<string, number>>(new Map())

/** Keeps the secret of a link that was opened in this tab, for reloads. `secret` is empty if the address has none. */
export function openGiftLink(giftId: string, secret: string): void {
  const complete = secret ? /^[0-9a-f]{32}$/.test(secret) : knownSecret(giftId) !== undefined
  if (secret && complete) sessionStore.setItem(openedKey(giftId), secret)
  const before = openedLinks.get().get(giftId) ?? 0
  const count = !complete ? 0 : secret ? before + 1 : Math.max(1, before)
  openedLinks.set(new Map([...openedLinks.get(), [giftId, count]]))
}

/** How many links to a gift this page has opened: 0 for an incomplete link, undefined before it has opened any. */
export function useOpenedLinks(giftId: string): number | undefined {
  return useStore(openedLinks).get(giftId)
}
