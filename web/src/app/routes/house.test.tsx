import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { item as itemTexts } from '@/features/item/texts/en'
import { pack as storeTexts, store as storeCardTexts } from '@/features/store/texts/en'
import { market as marketTexts, trade } from '@/features/market/texts/en'
import { sellBack as sellbackTexts } from '@/features/sellback/texts/en'
import { catalogue, shell } from '@/i18n/texts/en'
import { vault } from '@/features/inventory/texts/en'
import { config } from '@/lib/config'
import type { EntryLife, ItemDetail, Listing } from '@/contract/types'
import { labubu, pokemon, pokemonDetail, someEntry } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'

const { store } = catalogue
const ordinary = { ...config.rules }

afterEach(() => void Object.assign(config.rules, ordinary))

const charizard = pokemonDetail.showcase[0]!
const item: ItemDetail = {
  ...charizard,
  sellBackCents: 11_110,
  values: [],
  sales: [],
  odds: [],
  listings: [
    { id: 'e1', listingId: 'l1', salePriceCents: 14_000, vaulted: true, user: { firstName: '', profileImageUrl: '' } },
  ],
}
const shownItem = {
  'GET /api/items/pkm-001': { body: item },
  'GET /api/items/pkm-001/sales': { body: { spans: [], sales: [] } },
} as const

const listing: Listing = {
  id: 'e1',
  listingId: 'l1',
  forSale: true,
  salePriceCents: 1999,
  item: someEntry('e1').item,
  user: { firstName: 'Ann', profileImageUrl: '' },
  vaulted: false,
  own: false,
}

async function showVault() {
  stubApi({ 'GET /api/vault': { body: [someEntry('held'), someEntry('listed', { state: 'listed' })] } })
  renderPage('/vault', signedIn)
  await screen.findByRole('button', { name: trade.delistItem(charizard.name) })
  return within(screen.getByRole('list', { name: vault.list }))
}
const quickSells = () => screen.queryAllByRole('button', { name: /^Quick sell/ })
const listButton = trade.sellItem(charizard.name)

describe('without a marketplace', () => {
  beforeEach(() => void (config.rules.market = false))

  it('its page says so, and no link leads there', async () => {
    stubApi({})
    renderPage('/marketplace', signedIn)
    expect(await screen.findByRole('heading', { level: 1, name: marketTexts.market.off.title })).toBeVisible()
    expect(screen.queryByRole('link', { name: shell.nav.marketplace })).not.toBeInTheDocument()
    const toRules = within(screen.getByRole('main')).getByRole('link', { name: marketTexts.market.off.rules })
    expect(toRules).toHaveAttribute('href', '/rules')
  })

  it('an item page shows neither listings nor bids', async () => {
    stubApi(shownItem)
    renderPage('/item/pkm-001')
    await screen.findByRole('heading', { level: 1, name: charizard.name })
    expect(screen.getByText(itemTexts.facts.sellBack)).toBeVisible()
    expect(screen.queryByText(itemTexts.facts.lowestPrice)).not.toBeInTheDocument()
    for (const part of [itemTexts.listings.title, itemTexts.sales.title]) {
      expect(screen.queryByRole('region', { name: part })).not.toBeInTheDocument()
    }
    const links = within(screen.getByRole('main')).getAllByRole('link')
    expect(links.filter((link) => link.getAttribute('href')?.startsWith('/marketplace'))).toEqual([])
  })

  it('held cards can only be sold to Kaibao, and listed ones delisted', async () => {
    const list = await showVault()
    expect(await list.findAllByRole('button', { name: /^Quick sell/ })).toHaveLength(1)
    expect(list.queryByRole('button', { name: listButton })).not.toBeInTheDocument()
  })
})

describe('without sell-back', () => {
  beforeEach(() => void (config.rules.sellBack = false))

  it('an item page shows no quote', async () => {
    stubApi({ ...shownItem, 'GET /api/items/pkm-001/book': { body: { asks: [], bids: [] } } })
    renderPage('/item/pkm-001')
    expect(await screen.findByText(itemTexts.facts.lowestPrice)).toBeVisible()
    expect(screen.queryByText(itemTexts.facts.sellBack)).not.toBeInTheDocument()
  })

  it('an entry page shows no quote', async () => {
    const mine: EntryLife = { ...someEntry('e1'), own: true, listingId: '', events: [] }
    stubApi({ 'GET /api/inventory/e1': { body: mine }, 'GET /api/inventory/e1/bids': { body: { bids: [] } } })
    renderPage('/entry/e1', signedIn)
    expect(await screen.findByRole('button', { name: listButton })).toBeVisible()
    expect(screen.queryByText(itemTexts.facts.sellBack)).not.toBeInTheDocument()
    expect(quickSells()).toEqual([])
  })

  it('held cards can be listed, but not quick-sold', async () => {
    const list = await showVault()
    expect(await list.findByRole('button', { name: listButton })).toBeVisible()
    expect(quickSells()).toEqual([])
  })
})

it('without marketplace and sell-back, held cards can’t be selected', async () => {
  Object.assign(config.rules, { market: false, sellBack: false })
  stubApi({ 'GET /api/vault': { body: [someEntry('held')] } })
  renderPage('/vault', signedIn)
  await screen.findByRole('list', { name: vault.list })
  await waitFor(() => expect(screen.queryByRole('button', { name: sellbackTexts.select })).not.toBeInTheDocument())
  expect(quickSells()).toEqual([])
})

describe('when prices show dollars', () => {
  const worth = () => within(screen.getByRole('main')).queryAllByText(shell.pointWorth)

  it.each([true, false])('every price shows the dollar value: %s', async (shown) => {
    config.rules.dollarsShown = shown
    stubApi({ 'GET /api/packs': { body: [pokemon, labubu] } })
    renderPage('/open-packs')
    await screen.findByRole('link', { name: pokemon.name })
    expect(worth()).toHaveLength(shown ? 2 : 0)
  })

  it('a pack page shows the dollar value', async () => {
    config.rules.dollarsShown = true
    stubApi({ 'GET /api/packs/2': { body: pokemonDetail } })
    renderPage('/pack/2')
    expect(await screen.findByRole('region', { name: storeTexts.price })).toHaveTextContent(shell.pointWorth)
  })

  it('a listing shows the dollar value', async () => {
    config.rules.dollarsShown = true
    stubApi({ 'GET /api/marketplace': { body: [listing] } })
    renderPage('/marketplace', signedIn)
    const list = within(await screen.findByRole('list', { name: trade.list }))
    expect(list.getByText(trade.salePrice).nextSibling).toHaveTextContent(`19.99${shell.playPoints}${shell.pointWorth}`)
  })
})

describe('a pack above the price limit', () => {
  beforeEach(() => void (config.rules.highestPackCents = 2800))

  it('can be viewed in the store, which explains the limit', async () => {
    stubApi({ 'GET /api/packs': { body: [pokemon, { ...labubu, priceCents: 2801 }] } })
    renderPage('/open-packs', signedIn)
    expect(await screen.findByRole('button', { name: `${store.openPack} ${pokemon.name}` })).toBeEnabled()
    expect(screen.getByRole('link', { name: `${store.viewPack} ${labubu.name}` })).toBeVisible()
    expect(screen.getAllByText(storeCardTexts.tooDear)).toHaveLength(1)
  })

  it('can’t be opened on its page, which links to the rules', async () => {
    stubApi({ 'GET /api/packs/2': { body: { ...pokemonDetail, priceCents: 2801 } } })
    renderPage('/pack/2', signedIn)
    const button = await screen.findByRole('button', { name: storeTexts.openPack })
    expect(button).toBeDisabled()
    expect(button).toHaveAccessibleDescription(`${storeTexts.tooDear('$28.00')} ${shell.rules}`)
  })
})
