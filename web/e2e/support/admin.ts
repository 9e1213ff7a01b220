import type { Browser, Page } from '@playwright/test'
import { read } from './books'
import { grant, type Server } from './server'
import { arriveWith, second } from './sign-in'

/** A browser of its own whose visitor is an admin. */
export async function arriveAsAdmin(browser: Browser, server: Server, locale: string): Promise<Page> {
  const page = await second(browser, server.url, locale)
  await arriveWith(page, 1)
  await grant(server, (await read<{ walletAddress: string }>(page, '/api/auth/user')).walletAddress)
  return page
}
