import type { Browser, Page } from '@playwright/test'
import { getJson } from './api'
import { makeAdmin, type Server } from './server'
import { signInWithPoints, newVisitor } from './sign-in'

/** Opens a page for an admin in a new browser context. */
export async function newAdminPage(browser: Browser, server: Server, locale: string): Promise<Page> {
  const page = await newVisitor(browser, server.url, locale)
  await signInWithPoints(page, 1)
  await makeAdmin(server, (await getJson<{ walletAddress: string }>(page, '/api/auth/user')).walletAddress)
  return page
}
