import { collection } from '../src/features/inventory/texts/zh'
import { editing } from '../src/features/admin/texts/zh'
import { commandPalette } from '../src/app/command-palette/texts/zh'
import { opening } from '../src/features/opening/texts/zh'
import { pack as packTexts } from '../src/features/store/texts/zh'
import type { AdminPack, Pack } from '../src/contract/types'
import { newAdminPage } from './support/admin'
import { getJson } from './support/api'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

const names = ['篮球', '宝可梦', '航海王', '美式橄榄球', '足球', '棒球', 'Labubu 经典盲盒', 'Labubu 豪华盲盒']

test.use({ ownServer: 'pack-names' })

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' })

  test('packs and series have Chinese names from the store to the collection', async ({ page }) => {
    await signInWithPoints(page, 100)
    await page.goto('/open-packs')
    await expect(page.getByRole('tabpanel').getByRole('article').getByRole('heading')).toContainText(names)
    await page.goto('/pack/2')
    await expect(page.getByRole('heading', { level: 1, name: '宝可梦' })).toBeVisible()
    await expect(page).toHaveTitle(/^宝可梦 · /)
    await page.getByRole('button', { name: packTexts.openPack, exact: true }).click()
    await expect(page.getByRole('dialog', { name: opening.dialog('宝可梦') })).toBeVisible()
    await page.keyboard.press('Escape')

    await expect(await page.request.post('/api/packs/2/open', { data: { clientSeed: 'names' } })).toBeOK()
    await page.goto('/my-opens')
    await expect(page.getByRole('article').getByRole('link', { name: '宝可梦', exact: true })).toBeVisible()
    await page.goto('/my-collection')
    await expect(page.getByRole('article')).toContainText(['宝可梦'])
    await expect(page.getByRole('article')).toContainText([collection.source.pack('宝可梦', '$25.00')])
    await page.goto('/books')
    await expect(page.getByRole('row').getByRole('link', { name: '足球', exact: true })).toBeVisible()
    await page.goto('/fairness')
    await expect(page.getByRole('article', { name: '航海王' })).toBeVisible()
  })

  test('the palette finds a pack by either name', async ({ page }) => {
    await page.goto('/open-packs')
    await expect(page.getByRole('tabpanel').getByRole('heading', { name: '宝可梦' })).toBeVisible()
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: commandPalette.title })
    for (const query of ['宝可梦', '寶可夢', 'pokemon']) {
      await box.fill(query)
      await expect(
        page.getByRole('option', { name: '宝可梦' }).filter({ hasText: commandPalette.kinds.packs }),
      ).toBeVisible()
    }
    await box.press('Enter')
    await expect(page).toHaveURL(/\/pack\/2$/)
  })

  test('an admin gives a pack a Chinese name, which appears at once and changes no odds', async ({
    page,
    browser,
    server,
  }) => {
    const admin = await newAdminPage(browser, server, 'zh-CN')
    const [before] = (await getJson<Pack[]>(admin, '/api/packs')).filter(({ id }) => id === '5')
    await admin.goto('/admin?tab=packs')
    await admin.getByRole('button', { name: editing.editOf('Soccer') }).click()
    const dialog = admin.getByRole('dialog', { name: editing.pack.title })
    await dialog.getByLabel(editing.pack.nameZh).fill('足球之夜')
    await dialog.getByRole('button', { name: editing.save }).click()
    await expect(dialog).toBeHidden()
    await expect(admin.getByRole('listitem').filter({ hasText: 'Soccer' })).toContainText('足球之夜')
    const [after] = (await getJson<AdminPack[]>(admin, '/api/admin/packs')).filter(({ id }) => id === '5')
    expect(after).toMatchObject({ name: 'Soccer', nameZh: '足球之夜', manifestHash: before!.manifestHash })
    expect(after!.announced).toBeUndefined()

    await page.goto('/pack/5')
    await expect(page.getByRole('heading', { level: 1, name: '足球之夜' })).toBeVisible()
  })
})

test.describe('in English', () => {
  test('packs keep their English names', async ({ page }) => {
    await page.goto('/pack/2')
    await expect(page.getByRole('heading', { level: 1, name: 'Pokemon' })).toBeVisible()
  })
})
