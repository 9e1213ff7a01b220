import type { Page } from '@playwright/test'
import { profile as dialogEn } from '../src/features/auth/texts/en'
import { profile as dialogZh } from '../src/features/auth/texts/zh'
import * as textsEn from '../src/features/profiles/texts/en'
import * as textsZh from '../src/features/profiles/texts/zh'
import * as en from '../src/i18n/texts/en'
import * as zh from '../src/i18n/texts/zh'
import type { InventoryEntry, Profile, User } from '../src/contract/types'
import { accessibilityViolations } from './support/axe'
import { getJson, listForSale } from './support/api'
import { expect, test } from './support/server'
import { newVisitor, signInWithPoints } from './support/sign-in'

const ownUser = (page: Page) => getJson<User>(page, '/api/auth/user')
const statusOf = async (page: Page, path: string) => (await page.request.get(path)).status()

async function openPack(page: Page, packId: string): Promise<void> {
  await expect(await page.request.post(`/api/packs/${packId}/open`, { data: { clientSeed: packId } })).toBeOK()
}

/** Signs in a user who has opened a pack, and so may have a handle. */
async function signInWithHandle(page: Page, handle: string): Promise<void> {
  await signInWithPoints(page, 25)
  await openPack(page, '2')
  await expect(await page.request.patch('/api/auth/user', { data: { handle } })).toBeOK()
}

for (const { locale, t, texts, dialogTexts, name, handle, other } of [
  {
    locale: 'en-US',
    t: en,
    texts: textsEn,
    dialogTexts: dialogEn,
    name: 'Ann Lee',
    handle: 'ann-collects',
    other: 'slab-fan',
  },
  {
    locale: 'zh-CN',
    t: zh,
    texts: textsZh,
    dialogTexts: dialogZh,
    name: '收藏家小梅',
    handle: 'xiaomei',
    other: 'kabaofan',
  },
] as const) {
  const { profile, settings, showcase } = texts

  test.describe(locale, () => {
    test.use({ locale })

    test('a profile is made, shown to everyone, and given up', async ({ page, browser, server }) => {
      const neighbor = await newVisitor(browser, server.url, locale)
      await signInWithHandle(neighbor, other)
      await neighbor.context().close()

      await signInWithPoints(page, 60)
      await expect(await page.request.patch('/api/auth/user', { data: { firstName: name } })).toBeOK()
      await page.goto('/account')
      const field = page.getByRole('textbox', { name: settings.handle })
      await expect(field).toHaveAccessibleDescription(new RegExp(settings.notAllowed))
      await expect(field).not.toBeEditable()

      for (const pack of ['2', 'demo-pack-1']) await openPack(page, pack)
      const entries = await getJson<InventoryEntry[]>(page, '/api/inventory/me')
      const [listed] = entries
      await listForSale(page, listed!.id, 98_765)
      await page.reload()
      const isPublic = page.getByRole('switch', { name: settings.public })
      const save = page.getByRole('button', { name: settings.save })
      const notifications = page.getByRole('region', { name: t.shell.notifications, includeHidden: true })
      await expect(isPublic).toBeDisabled()
      for (const [typed, problem] of [
        ['no_underscores', settings.problems.format],
        ['support', settings.problems.refused],
        [other, t.errors.handle_taken],
      ] as const) {
        await field.fill(typed)
        await save.click()
        await expect(field).toHaveAccessibleDescription(new RegExp(`^${problem.replaceAll('.', String.raw`\.`)}`))
        await expect(field).toBeFocused()
      }
      await field.fill(handle)
      await save.click()
      await expect(notifications).toContainText(settings.saved)
      await expect(save).toBeHidden()
      await expect(field).toBeFocused()
      expect(await ownUser(page)).toMatchObject({ handle, public: false })
      expect(await statusOf(page, `/api/profiles/${handle}`)).toBe(404)

      await expect(isPublic).toHaveAccessibleDescription(settings.publicHint)
      await isPublic.press('Space')
      await expect(page.getByRole('link', { name: settings.view, exact: true })).toBeVisible()
      expect(await ownUser(page)).toMatchObject({ public: true })

      await page.getByRole('button', { name: showcase.add }).click()
      const picker = page.getByRole('dialog', { name: showcase.pickTitle })
      for (const at of [0, 1]) await picker.getByRole('list').getByRole('button').nth(at).click()
      await expect(picker.getByText(showcase.pickText(2, 12))).toBeVisible()
      await picker.getByRole('button', { name: showcase.done }).click()
      const places = page.getByRole('list', { name: showcase.list }).getByRole('listitem')
      await expect(places).toHaveCount(2)
      const [first, second] = (await places.locator('p').allTextContents()) as [string, string]
      await page
        .getByRole('button', { name: showcase.later(first), exact: true })
        .first()
        .press('Enter')
      await expect(places.locator('p')).toHaveText([second, first])
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: showcase.save }).click()
      await expect(notifications).toContainText(showcase.saved)
      const { showcase: ids } = await ownUser(page)
      expect(ids.map((id) => entries.find((entry) => entry.id === id)?.item.name)).toEqual([second, first])

      await page.getByRole('link', { name: settings.view, exact: true }).click()
      await expect(page).toHaveURL(`/u/${handle}`)
      await expect(page.getByRole('link', { name: profile.edit })).toBeVisible()

      const visitor = await newVisitor(browser, server.url, locale)
      expect((await visitor.goto(`/u/${handle}`))?.status()).toBe(200)
      await expect(visitor.getByRole('heading', { level: 1, name })).toBeVisible()
      await expect(visitor.getByRole('main')).toContainText(`@${handle}`)
      await expect(visitor.getByRole('link', { name: profile.edit })).toBeHidden()
      const section = (title: string) => visitor.getByRole('region', { name: title })
      await expect(section(profile.showcase).getByRole('article')).toHaveCount(2)
      await expect(section(profile.best).getByRole('article')).toHaveCount(6)
      await expect(section(profile.listings).getByRole('article')).toContainText('987.65')
      await expect(section(profile.sets).getByRole('link').first()).toHaveAttribute('href', /^\/sets\//)
      expect(await accessibilityViolations(visitor)).toEqual([])
      const seen = JSON.stringify(await getJson<Profile>(visitor, `/api/profiles/${handle}`))
      for (const { id } of entries) expect(seen).not.toContain(id)
      await visitor.goto(`/item/${listed!.item.id}`)
      await visitor
        .getByRole('link', { name: `@${handle}` })
        .first()
        .click()
      await expect(visitor).toHaveURL(`/u/${handle}`)
      await visitor.goto('/leaderboard')
      await expect(visitor.getByRole('main').locator(`a[href="/u/${handle}"]`).first()).toBeVisible()

      await page.getByRole('link', { name: profile.edit }).click()
      await page.getByRole('button', { name: settings.giveUp }).click()
      const question = page.getByRole('dialog', { name: settings.giveUpTitle(handle) })
      await question.getByRole('button', { name: settings.giveUp }).click()
      await expect(question).toBeHidden()
      await expect(field).toBeFocused()
      await expect(field).toHaveValue('')
      expect(await ownUser(page)).toMatchObject({ handle: '', public: false })
      expect((await visitor.goto(`/u/${handle}`))?.status()).toBe(404)
      await expect(visitor.getByRole('heading', { level: 1, name: profile.unknown })).toBeVisible()
      await visitor.context().close()
    })

    test('a name can’t be another user’s handle', async ({ page, browser, server }) => {
      const owner = await newVisitor(browser, server.url, locale)
      await signInWithHandle(owner, `${other}-2`)
      await owner.context().close()
      await signInWithPoints(page, 25)
      await page.goto('/leaderboard')
      await page.getByRole('complementary').getByRole('button', { name: t.shell.user.profile }).click()
      const dialog = page.getByRole('dialog', { name: dialogTexts.title })
      const field = dialog.getByLabel(dialogTexts.name)
      await field.fill(`${other}-2`)
      await dialog.getByRole('button', { name: dialogTexts.save }).click()
      await expect(field).toHaveAccessibleDescription(dialogTexts.refused.firstName)
      expect((await ownUser(page)).firstName).toBe('')
    })
  })
}
