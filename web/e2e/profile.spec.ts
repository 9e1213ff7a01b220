import type { Page } from '@playwright/test'
import * as en from '../src/i18n/texts/en'
import * as zh from '../src/i18n/texts/zh'
import { profile as profileZh } from '../src/features/auth/texts/zh'
import { trade as tradeZh } from '../src/features/market/texts/zh'
import type { Activity, InventoryEntry, Listing, User } from '../src/contract/types'
import { accessibilityViolations } from './support/axe'
import { listForSale, getJson } from './support/api'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

const address = 'https://pictures.example/me.png'
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const profileButton = (page: Page, t: typeof en) =>
  page.getByRole('complementary').getByRole('button', { name: t.shell.user.profile })

/** Signs in a user with one listing. */
async function signInWithListing(page: Page, priceCents: number): Promise<InventoryEntry> {
  await signInWithPoints(page, 50)
  await expect(await page.request.post('/api/packs/2/open', { data: { clientSeed: 'profile' } })).toBeOK()
  const [entry] = await getJson<InventoryEntry[]>(page, '/api/inventory/me')
  if (!entry) throw new Error('nothing pulled')
  await listForSale(page, entry.id, priceCents)
  return entry
}

// The other journeys are in English.
test.describe('in Chinese', () => {
  const [t, profile, trade, name, price] = [zh, profileZh, tradeZh, '收藏家小梅', 3103] as const
  test.use({ locale: 'zh-CN' })

  test('a name and a picture are set, shown at once, and removed', async ({ page }) => {
    await page.route('**/media/pictures/*', (route) => route.fulfill({ contentType: 'image/png', body: dot }))
    const hosts: string[] = []
    page.on('request', (request) => !request.url().startsWith('data:') && hosts.push(new URL(request.url()).host))
    await signInWithListing(page, price)
    await page.goto(`/marketplace?minPrice=31&maxPrice=32`)
    const listing = page.getByRole('article').filter({ hasText: (price / 100).toFixed(2) })
    await expect(listing).toContainText(trade.anonymous)

    await profileButton(page, t).click()
    const dialog = page.getByRole('dialog', { name: profile.title })
    await expect(dialog).toContainText(profile.traced)
    expect(await accessibilityViolations(page)).toEqual([])
    await dialog.getByLabel(profile.name).fill(name)
    await dialog.getByLabel(profile.picture).fill(address)
    await dialog.getByRole('button', { name: profile.save }).click()
    await expect(dialog).toBeHidden()

    await expect(profileButton(page, t)).toContainText(name)
    await expect(listing).toContainText(name)
    const { picture } = await getJson<User>(page, '/api/auth/user')
    expect(picture).toMatch(/^\/media\/pictures\/[0-9a-f]{32}$/)
    await expect(listing.locator(`img[src="${picture}"]`)).toBeVisible()
    const own = (await getJson<Listing[]>(page, '/api/marketplace')).find(
      ({ salePriceCents }) => salePriceCents === price,
    )
    expect(own?.user).toEqual({ firstName: name, profileImageUrl: picture })

    await page.goto('/leaderboard')
    await expect(page.getByRole('main')).toContainText(name)
    await profileButton(page, t).click()
    await expect(dialog.getByLabel(profile.picture)).toHaveValue(address)
    await dialog.getByLabel(profile.name).fill('')
    await dialog.getByLabel(profile.picture).fill('')
    await dialog.getByRole('button', { name: profile.save }).click()
    await expect(page.getByText(name)).toHaveCount(0)
    expect(await getJson<User>(page, '/api/auth/user')).toMatchObject({
      firstName: '',
      profileImageUrl: '',
      picture: '',
    })
    expect(new Set(hosts).size).toBe(1)
  })

  test('names that impersonate Kaibao are refused at the field', async ({ page }) => {
    await signInWithPoints(page, 25)
    await page.goto('/leaderboard')
    await profileButton(page, t).click()
    const dialog = page.getByRole('dialog', { name: profile.title })
    const field = dialog.getByLabel(profile.name)
    for (const posing of ['Kaibao Support', 'Anоnymous', '匿名用户', 'User１２']) {
      await field.fill(posing)
      await dialog.getByRole('button', { name: profile.save }).click()
      await expect(field).toHaveAccessibleDescription(profile.refused.firstName)
    }
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(profileButton(page, t)).toBeFocused()
    expect((await getJson<User>(page, '/api/auth/user')).firstName).toBe('')
  })
})

test('a picture that fails to load is replaced by the generated one', async ({ page }) => {
  await signInWithPoints(page, 25)
  await expect(
    await page.request.patch('/api/auth/user', { data: { profileImageUrl: 'https://127.0.0.1/me.png' } }),
  ).toBeOK()
  const failed = page.waitForResponse((response) => response.url().includes('/media/pictures/'))
  await page.goto('/leaderboard')
  expect((await failed).status()).toBe(404)
  await expect(profileButton(page, en).locator('img')).toHaveAttribute('src', /^\/media\/avatars\//)
})

test('the activity feed shows neither open ids nor exact times', async ({ page }) => {
  await signInWithPoints(page, 25)
  await expect(await page.request.patch('/api/auth/user', { data: { firstName: 'Ann Lee' } })).toBeOK()
  const opened = await page.request.post('/api/packs/2/open', { data: { clientSeed: 'feed' } })
  const { openId } = (await opened.json()) as { openId: string }
  let mine: Activity | undefined
  await expect(async () => {
    mine = (await getJson<Activity[]>(page, '/api/activity/recent')).find(({ user }) => user.firstName === 'Ann Lee')
    expect(mine).toBeDefined()
  }).toPass()
  expect(mine?.id).not.toBe(openId)
  expect(mine?.createdAt).toMatch(/:00\.000Z$/)
})
