import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { importing as t } from '../src/features/admin/texts/en'
import { importing as zh } from '../src/features/admin/texts/zh'
import { accessibilityViolations } from './support/axe'
import { getJson } from './support/api'
import { expect, makeAdmin, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

// Long journeys with several visitors.
test.describe.configure({ timeout: 180_000 })

test.use({ ownServer: 'import' })

const set = 'morning'
const columns = 'id,name,series,rarity,baseValueCents'

async function choose(page: Page, text: string | Uint8Array): Promise<void> {
  const file = { name: 'spring.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file)
}

async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityViolations(page)).toEqual([])
}

test('an admin previews a file’s changes, imports it, and fixes refused rows', async ({ page, server }) => {
  await signInWithPoints(page, 100)
  const { walletAddress } = await getJson<{ walletAddress: string }>(page, '/api/auth/user')
  await makeAdmin(server, walletAddress)
  await page.goto('/admin?tab=items')
  await page.getByRole('button', { name: t.open }).click()
  const dialog = page.getByRole('dialog', { name: t.title })
  await choose(page, 'id,nmae,price\n')
  await expect(dialog.getByRole('alert')).toContainText('has no column name (is "nmae" misspelled?)')

  await choose(
    page,
    `${columns}\n${set}-1,2026 ${set} Ann PSA 9,Spring,Rare,4e3\n${set}-2,$45.00,Spring,Rare,"1,234.50"\n`,
  )
  await expect(dialog.getByRole('region', { name: t.changes })).toContainText('$40.00')
  const refusals = dialog.getByRole('region', { name: t.refusals })
  await expect(refusals.getByRole('row').filter({ hasText: 'name' })).toContainText(
    'must be a name, not a number or a price',
  )
  await expect(dialog.getByRole('button', { name: t.import(1) })).toBeDisabled()
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await refusals.getByRole('button', { name: t.rejects }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('spring.rejects.csv')
  const rejects = await readFile(await file.path(), 'utf8')
  expect(rejects).toContain(`${set}-2,$45.00,Spring,Rare,"1,234.50"`)

  await dialog.getByRole('checkbox', { name: t.skipBad(1) }).check()
  await dialog.getByRole('button', { name: t.import(1) }).press('Enter')
  await expect(dialog.getByRole('status').filter({ hasText: t.done(1) })).toBeVisible()

  await choose(page, rejects.replace('$45.00', `2026 ${set} Ben`))
  await dialog.getByLabel(t.importReason).fill('Corrected')
  await dialog.getByRole('button', { name: t.import(1) }).click()
  await dialog.getByRole('button', { name: t.close, exact: true }).last().click()
  await expect(dialog).toBeHidden()
  const item = await getJson<object>(page, `/api/items/${set}-2`)
  expect(item).toMatchObject({
    baseValueCents: 123450,
    values: [{ valueCents: 123450, source: 'import', reason: 'Corrected' }],
  })
  const trail = await getJson<{ act: string }[]>(page, '/api/admin/audit?limit=2')
  expect(trail.map(({ act }) => act)).toEqual(['import-catalogue', 'import-catalogue'])

  const exported = page.waitForEvent('download')
  await page.getByRole('link', { name: t.export }).click()
  const all = await readFile(await (await exported).path(), 'utf8')
  expect(all).toContain(`${set}-1,2026 ${set} Ann PSA 9,Spring,Rare,9`)
})

// Both share a server, so each uses its own items.
for (const [locale, texts, id] of [
  ['en-US', t, 'english'],
  ['zh-CN', zh, 'chinese'],
] as const) {
  test.describe(locale, () => {
    test.use({ locale })

    test('an admin chooses the encoding of a file and leaves out a misspelled column', async ({ page, server }) => {
      await signInWithPoints(page, 100)
      const { walletAddress } = await getJson<{ walletAddress: string }>(page, '/api/auth/user')
      await makeAdmin(server, walletAddress)
      await page.goto('/admin?tab=items')
      await page.getByRole('button', { name: texts.open }).click()
      const dialog = page.getByRole('dialog', { name: texts.title })
      const name = Buffer.from([0xc6, 0xa4, 0xbf, 0xa8, 0xc7, 0xf0]) // 皮卡丘 in GB18030
      const [before, after] = [`${columns},graed,Notes\n${id}-1,2026 `, ',Spring,Rare,500,9,\n']
      await choose(page, Buffer.concat([Buffer.from(before), name, Buffer.from(after)]))
      const encoding = dialog.getByRole('region', { name: texts.encoding.title })
      await expect(encoding).toContainText('2026 皮卡丘')
      await expect(encoding).toContainText('2026 Æ¤¿¨Çð')
      await expectAccessible(page)
      await encoding.getByRole('button', { name: texts.encoding.choose(texts.encoding.names.gb18030) }).press('Enter')

      await expect(encoding).toBeHidden()
      await expect(dialog.getByRole('region', { name: texts.changes })).toContainText('2026 皮卡丘')
      const unknown = dialog.getByRole('region', { name: texts.unknown })
      await expect(unknown).toContainText(texts.didYouMean('graed', 'grade'))
      await expect(unknown).toContainText('Notes')
      const confirm = dialog.getByRole('button', { name: texts.import(1) })
      await expect(confirm).toBeDisabled()
      await expectAccessible(page)
      await dialog.getByRole('checkbox', { name: texts.ignore(['graed', 'Notes']) }).check()
      await confirm.click()
      await expect(dialog.getByRole('status').filter({ hasText: texts.done(1) })).toBeVisible()
      expect(await getJson<object>(page, `/api/items/${id}-1`)).toMatchObject({ name: '2026 皮卡丘', grade: null })
    })
  })
}
