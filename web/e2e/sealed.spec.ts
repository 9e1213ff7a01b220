import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { quantity as quantityEn } from '../src/components/quantity/texts/en'
import { quantity as quantityZh } from '../src/components/quantity/texts/zh'
import { sealed as sealedEn } from '../src/components/sealed/texts/en'
import { sealed as sealedZh } from '../src/components/sealed/texts/zh'
import { sealed as waitingEn } from '../src/features/admin/sealed/texts/en'
import { sealed as waitingZh } from '../src/features/admin/sealed/texts/zh'
import { opens as opensEn } from '../src/features/inventory/texts/en'
import { opens as opensZh } from '../src/features/inventory/texts/zh'
import { opening as openingEn } from '../src/features/opening/texts/en'
import { opening as openingZh } from '../src/features/opening/texts/zh'
import { verify as verifyEn } from '../src/features/proofs/texts/en'
import { verify as verifyZh } from '../src/features/proofs/texts/zh'
import { pack as packEn } from '../src/features/store/texts/en'
import { pack as packZh } from '../src/features/store/texts/zh'
import { balance as balanceEn } from '../src/features/wallet/texts/en'
import { balance as balanceZh } from '../src/features/wallet/texts/zh'
import type { Opening, Pack } from '../src/contract/types'
import { number } from '../src/lib/format'
import { newAdminPage } from './support/admin'
import { accessibilityViolations } from './support/axe'
import { expectPaid, getJson } from './support/api'
import { recordMotion } from './support/opening-dialog'
import { makeSealedPack, steerBeacon } from './support/sealed'
import { binary, expect, test, withServer } from './support/server'
import { signInWithPoints } from './support/sign-in'
import { withWitness } from './support/witness'

const languages = [
  {
    locale: 'en-US',
    t: openingEn,
    pack: packEn,
    quantity: quantityEn,
    sealed: sealedEn,
    history: opensEn,
    balance: balanceEn,
    verify: verifyEn.verification,
    waiting: waitingEn,
  },
  {
    locale: 'zh-CN',
    t: openingZh,
    pack: packZh,
    quantity: quantityZh,
    sealed: sealedZh,
    history: opensZh,
    balance: balanceZh,
    verify: verifyZh.verification,
    waiting: waitingZh,
  },
]

// Late beacons would disturb other journeys, and journeys of this file each other.
test.use({ ownServer: 'sealed' })
test.describe.configure({ mode: 'default', timeout: 120_000 })

for (const { locale, t, pack, quantity, sealed, history, balance, verify, waiting } of languages) {
  test.describe(`sealed packs, in ${locale},`, () => {
    test.use({ locale, contextOptions: { reducedMotion: 'no-preference' } })
    let vault: Pack

    test.beforeAll(async ({ browser, server }) => {
      vault = await makeSealedPack(browser, server, `Vault ${locale.slice(0, 2)}`)
    })

    const dialog = (page: Page) => page.getByRole('dialog')
    const heading = (page: Page) => dialog(page).getByRole('heading', { name: t.results.heading })
    const start = (page: Page) => dialog(page).getByRole('button', { name: t.intro.start('50') })
    const latest = (page: Page) => page.getByRole('list', { name: history.list }).getByRole('article').first()

    async function openIntro(page: Page, packId = vault.id): Promise<void> {
      await page.goto(`/pack/${packId}`)
      await page.getByRole('button', { name: pack.openPack, exact: true }).click()
      await expect(start(page)).toBeEnabled()
    }

    test('one is ordered, counts down to its round, is revealed and verified', async ({ page }) => {
      await signInWithPoints(page, 50)
      await openIntro(page)
      await expect(dialog(page)).toContainText(sealed.testPromise(3))
      await start(page).click()
      await expect(dialog(page).getByText(t.sealed.ordered(1), { exact: true })).toBeVisible()
      const [order] = await getJson<Opening[]>(page, '/api/opens?state=sealed')
      expect(order).toMatchObject({ state: 'sealed', items: [], serverSeedRevealed: '' })
      await expect(heading(page)).toBeVisible()
      await expectPaid(page, 50, 1)
      await dialog(page).getByRole('button', { name: t.results.verify }).click()
      const verification = page.getByRole('dialog', { name: verify.title })
      await expect(verification.getByText(verify.plain.sealedTest)).toBeVisible()
      await expect(verification).toContainText(verify.counts(17, 2, 0))
      await verification.getByText(verify.allSteps, { exact: true }).click()
      for (const { title } of [verify.steps.beacon, verify.steps.fixed])
        await expect(verification.getByRole('listitem').filter({ hasText: title })).toContainText(verify.state.info)
      expect(await accessibilityViolations(page)).toEqual([])
    })

    test('ten are all ordered first, then drawn and revealed together', async ({ page }) => {
      await signInWithPoints(page, 500)
      const calls: string[] = []
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (request.method() === 'POST' && pathname.endsWith('/open')) calls.push('order')
        if (/^\/api\/opens\/[^/]+$/.test(pathname)) calls.push('draw')
      })
      await page.goto(`/pack/${vault.id}`)
      await page.getByRole('main').getByText(quantity.choice(10), { exact: true }).click()
      await page.getByRole('button', { name: new RegExp(`^${pack.openPacks(10)} 500`) }).click()
      await dialog(page)
        .getByRole('button', { name: t.intro.startMany(10, '500') })
        .click()
      await dialog(page)
        .getByRole('button', { name: t.intro.confirmStart('500') })
        .click()
      await expect(dialog(page).getByText(t.sealed.ordered(10), { exact: true })).toBeVisible()
      await expect(heading(page)).toBeVisible()
      const cards = dialog(page).getByRole('list', { name: t.results.grid }).getByRole('listitem')
      await expect(cards).toHaveCount(10)
      expect(calls.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'order'))
      expect(calls.filter((call) => call === 'order')).toHaveLength(10)
      await expectPaid(page, 500, 10)
    })

    test('a closed dialog loses nothing: two are finished in the pull history', async ({ page }) => {
      await signInWithPoints(page, 100)
      for (let n = 1; n <= 2; n += 1) {
        await openIntro(page)
        await start(page).click()
        await expect(dialog(page).getByText(t.sealed.ordered(1), { exact: true })).toBeVisible()
        await page.keyboard.press('Escape')
        await page.keyboard.press('Escape')
        await expect(dialog(page)).toBeHidden()
      }
      await page.goto('/my-opens')
      await expect(latest(page)).toContainText(history.drawing)
      await expect(latest(page)).toContainText(history.total)
      await expect(page.getByText(history.drawing, { exact: true })).toHaveCount(0)
      await expectPaid(page, 100, 2)
    })

    test('a late beacon: the order is safe, paid but not drawn, and drawn later', async ({ page, browser, server }) => {
      await signInWithPoints(page, 50)
      await openIntro(page)
      await steerBeacon(page, 'silent')
      await start(page).click()
      await expect(dialog(page).getByText(t.sealed.late(1), { exact: true })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await dialog(page).getByRole('button', { name: t.sealed.close }).last().click()
      await expect(dialog(page)).toBeHidden()
      // The strip of pulls fades in, which axe would report.
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto('/balance')
      await expect(page.getByText(balance.notDrawn)).toBeVisible()
      await page.goto('/my-opens')
      const [late] = await getJson<Opening[]>(page, '/api/opens?state=sealed')
      await expect(latest(page)).toContainText(history.late(number(late?.order?.round ?? 0)))
      expect(await accessibilityViolations(page)).toEqual([])
      const admin = await newAdminPage(browser, server, locale)
      await admin.goto('/admin?tab=sealed')
      const orders = admin.getByRole('region', { name: waiting.orders })
      await expect(orders).toContainText(waiting.waiting(1))
      await expect(admin.getByRole('region', { name: waiting.beacon })).toContainText(waiting.differs)
      await expect(admin.getByRole('region', { name: waiting.witnesses })).toContainText(waiting.noWitnesses)
      expect(await accessibilityViolations(admin)).toEqual([])
      await steerBeacon(page, 'punctual')
      await expect(latest(page)).toContainText(history.total)
      await expect(orders).toContainText(waiting.noOrders)
      await admin.context().close()
      await expectPaid(page, 50, 1)
    })

    test('the store and the pack’s page mark it, and its page says how it works', async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto('/open-packs')
      const card = page.getByRole('article').filter({ hasText: vault.name })
      await expect(card.getByTitle(sealed.testPromise(3))).toHaveText(sealed.mark)
      await page.goto(`/pack/${vault.id}`)
      await expect(page.getByText(sealed.steps.order)).toBeHidden()
      await page.getByText(sealed.how, { exact: true }).click()
      await expect(page.getByText(sealed.steps.order)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
    })

    test('the player chooses in a pack that allows both', async ({ page, browser, server }) => {
      const choice = await makeSealedPack(browser, server, `Choice ${locale.slice(0, 2)}`, 'choice')
      await signInWithPoints(page, 50)
      await openIntro(page, choice.id)
      await expect(dialog(page).getByRole('radio', { name: sealed.modes.sealed.name })).toBeChecked()
      await dialog(page).getByText(sealed.modes.instant.name, { exact: true }).click()
      await start(page).click()
      await expect(heading(page)).toBeVisible()
      const [opening] = await expectPaid(page, 50, 1)
      expect(opening?.order).toBeUndefined()
    })
  })
}

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('nothing moves while a pack waits for its round', async ({ page, browser, server }) => {
    const still = await makeSealedPack(browser, server, 'Still')
    const moved = await recordMotion(page)
    await signInWithPoints(page, 50)
    await page.goto(`/pack/${still.id}`)
    await page.getByRole('button', { name: packEn.openPack, exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: openingEn.intro.start('50') })
      .click()
    await expect(page.getByRole('dialog').getByText(openingEn.sealed.ordered(1), { exact: true })).toBeVisible()
    await expect(page.getByRole('dialog').getByRole('heading', { name: openingEn.results.heading })).toBeVisible()
    expect(await moved()).toEqual([])
  })
})

test.describe('with a witness', () => {
  test('the page shows when an order was fixed, and proves it from the saved file to a visitor who trusts it', async ({
    browser,
  }) => {
    await withServer((server) =>
      withWitness(server, async (verifierKey) => {
        const vault = await makeSealedPack(browser, server, 'Witnessed')
        const page = await browser.newPage({ baseURL: server.url, locale: 'en-US' })
        await signInWithPoints(page, 50)
        await page.goto(`/pack/${vault.id}`)
        await page.getByRole('button', { name: packEn.openPack, exact: true }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('button', { name: openingEn.intro.start('50') }).click()
        await expect(dialog.getByText(/^Fixed (?:\d s )?before the round$/)).toBeVisible()
        await expect(dialog.getByRole('heading', { name: openingEn.results.heading })).toBeVisible()
        const [opening] = await expectPaid(page, 50, 1)
        await page.goto(`/verify/${opening?.openId}`)
        const downloading = page.waitForEvent('download')
        await page.getByRole('button', { name: verifyEn.proof.save }).click()
        const file = await (await downloading).path()
        await page.goto('/verify')
        await page.getByLabel(verifyEn.witnesses.keys).fill(verifierKey)
        await page.getByRole('button', { name: verifyEn.witnesses.save }).click()
        await expect(page.getByText(verifyEn.witnesses.saved, { exact: true })).toBeVisible()
        await page.getByLabel(verifyEn.check.file).setInputFiles({
          name: 'proof.json',
          mimeType: 'application/json',
          buffer: await readFile(file),
        })
        await page.getByText(verifyEn.verification.allSteps, { exact: true }).click()
        const fixed = page.getByRole('listitem').filter({ hasText: verifyEn.verification.steps.fixed.title })
        await expect(fixed).toContainText(verifyEn.verification.state.ok)
        const proof = `${server.url}/api/fairness/opens/${opening?.openId}`
        const args = ['verify', 'receipt', proof, '--witness', verifierKey]
        expect((await promisify(execFile)(binary, args)).stdout).toContain('1 of your witnesses saw the order')
        await page.context().close()
      }),
    )
  })
})
