import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { deposits as words } from '@/components/deposit/texts/en'
import { admin as operate, deposits as adminDeposits, editing, list, overview } from '@/features/admin/texts/en'
import type {
  AdminDeposit,
  AdminItem,
  AdminPack,
  Orphan,
  Pack,
  PackPreview,
  TopPull,
  TradePair,
} from '@/contract/types'
import { terms } from '@/lib/config'
import { dateTime, dollars } from '@/lib/format'
import { dismissToast } from '@/lib/toast'
import { activity, labubu, pokemon, pokemonDetail, someDeposit, someUser } from '@test/data'
import { renderPage, signedIn, signedOut } from '@test/render-page'
import { stubApi } from '@test/stub-api'
import { expectToast } from '@test/expect-toast'

const admin = { ...signedIn, user: { ...someUser, role: 'admin' as const } }

beforeEach(dismissToast)

const closedDays = [
  ['2026-03-03', 5],
  ['2026-03-02', 1],
].map(([day, opens]) => ({
  day,
  opens,
  revenueCents: 125_00,
  sellBacks: 3,
  sellBackCents: 45_00,
  sales: 1,
  salesCents: 20_00,
  feesCents: 1_00,
  depositsCents: 500_00,
  givenCents: 0,
  heldCents: 396_00,
}))

const topPulls: TopPull[] = (
  [
    ['e1', 'Charizard', 20_000, false],
    ['e2', 'Pikachu', 15_000, true],
  ] as const
).map(([inventoryId, itemName, valueCents, ended]) => ({
  inventoryId,
  itemName,
  valueCents,
  ended,
  rarity: 'Grail',
  packName: 'Pokemon',
  userId: someUser.id,
  walletAddress: someUser.walletAddress,
  firstName: 'Ann',
  createdAt: '2026-03-03T00:00:00.000Z',
}))

const tradePairs: TradePair[] = [
  {
    gainer: {
      userId: someUser.id,
      walletAddress: someUser.walletAddress,
      firstDepositAt: '2026-01-02T00:00:00Z',
      lastDepositAt: '2026-02-02T00:00:00Z',
    },
    payer: {
      userId: 'payer',
      walletAddress: 'Payer1111111111111111111111111111111111111',
      firstDepositAt: null,
      lastDepositAt: null,
    },
    trades: 3,
    movedCents: 76_543,
    lastAt: '2026-03-04T00:00:00Z',
  },
]

function adminPack(pack: Pack, wanted: Partial<AdminPack['wanted']> = {}): AdminPack {
  const { name, nameZh = '', priceCents, itemsPerPack, series, supply } = pack
  const shares = [
    { label: '$5-15', share: '0.298' },
    { label: '$15-25', share: '0.392' },
  ]
  const usual = {
    supply,
    name,
    nameZh,
    priceCents,
    itemsPerPack,
    series,
    shares,
    coverImageUrl: '',
    isActive: true,
    acceptedLossCents: null,
    sealing: 'instant' as const,
  }
  return { ...pack, lostCents: 0, wanted: { ...usual, ...wanted } }
}
const somePack = adminPack(pokemon)
const someItem: AdminItem = {
  ...pokemonDetail.showcase[0]!,
  ownImageUrl: '',
  isActive: true,
  stock: { packId: '2', packName: 'Pokemon', left: 12 },
}
const figures: NonNullable<PackPreview['figures']> = {
  tiers: [
    {
      label: '$5-15',
      lowCents: 500,
      highCents: 1500,
      chance: 1,
      cards: 12,
      expectedCents: 15_000,
      worstSellBackCents: 900_00,
    },
  ],
  expectedValueCents: 15_000,
  expectedSellBackCents: 13_500,
  marginCents: -13_000,
  worstSellBackCents: 900_00,
  bestCardCents: 1_499,
  isLimited: false,
}
const somePreview: PackPreview = {
  fields: {},
  refusal: '',
  figures,
  fits: { lowestPriceCents: null, series: [] },
  leftOut: [],
}

const metrics = {
  recentActivity: activity,
  totals: { items: 1019, packs: 3, activePacks: 1, users: 2, opens: 6 },
  at: '2026-03-04T12:00:00.000Z',
  revenueCents: 150_00,
  sellBackCents: 45_00,
  feesCents: 1_00,
  depositsCents: 500_00,
  heldCents: 396_00,
}

describe('the admin page', () => {
  it.each([
    ['a visitor', signedOut],
    ['a member', signedIn],
  ])('is denied to %s', async (_, session) => {
    stubApi({})
    renderPage('/admin', session)
    expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible()
    expect(document.title).toBe('Access Denied · Kaibao 开包')
    expect(screen.queryByRole('link', { name: 'Admin' })).not.toBeInTheDocument()
  })

  it('shows items, packs, activity and settings to admins, and links there only for them', async () => {
    stubApi({
      'GET /api/admin/packs': {
        body: [
          { ...somePack, soldOut: true },
          adminPack({ ...labubu, isActive: false }, { isActive: false }),
          { ...adminPack(labubu), id: '9', isActive: false, paused: 'The accepted loss of 5.00 is used up.' },
        ],
      },
      'GET /api/admin/items': { body: [someItem] },
      'GET /api/activity/recent': { body: activity },
      'GET /api/admin/metrics': { body: metrics },
      'GET /api/admin/days': { body: closedDays },
      'GET /api/admin/backups': { body: { lastBackup: null, reportedBy: null, verified: false } },
      'GET /api/admin/top-pulls': { body: topPulls },
      'GET /api/admin/trade-pairs': { body: tradePairs },
    })
    const { history } = renderPage('/admin?tab=nonsense', admin)
    expect(await screen.findByRole('link', { name: 'Admin' })).toBeVisible()
    expect(await screen.findByText(pokemonDetail.showcase[0]!.name)).toBeVisible()
    expect(screen.getByText(operate.tiles.items).nextSibling).toHaveTextContent('1,019')
    expect(screen.getByText(operate.tiles.packs).nextSibling).toHaveTextContent('3')
    expect(screen.getByText(operate.tiles.activePacks).nextSibling).toHaveTextContent('1')
    await userEvent.click(screen.getByRole('tab', { name: 'Packs' }))
    expect(await screen.findByText('Inactive')).toBeVisible()
    expect(history.location.search).toBe('?tab=packs')
    expect(screen.getByText('Active').nextSibling).toHaveTextContent('Sold out')
    expect(screen.getByText('Paused')).toHaveAttribute('title', 'The accepted loss of 5.00 is used up.')
    await userEvent.click(screen.getByRole('tab', { name: 'Activity' }))
    expect(await screen.findAllByText('Opened Pokemon pack')).toHaveLength(6)
    expect(screen.getByText('User', { selector: 'strong' })).toBeVisible()
    await userEvent.click(screen.getByRole('tab', { name: operate.tab.overview }))
    expect(await screen.findByRole('row', { name: '2026-03-03 $125.00 $45.00 $1.00 5 $500.00 $396.00' })).toBeVisible()
    const pair = await screen.findByRole('row', { name: /\$765\.43/ })
    expect(pair).toHaveTextContent(/Jan 2, 2026.*Feb 2, 2026.*Never topped up.*3Mar 4, 2026/)
    await userEvent.selectOptions(screen.getByRole('combobox', { name: operate.overview.show }), 'opens')
    expect(screen.getByRole('link', { name: operate.overview.csv })).toHaveAttribute(
      'href',
      '/api/admin/days?format=csv',
    )
    expect(await screen.findByRole('link', { name: 'Charizard' })).toHaveAttribute('href', '/entry/e1')
    expect(screen.getByRole('row', { name: /^Pikachu \$150\.00 Pokemon Ann / })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Pikachu' })).not.toBeInTheDocument()
    const files = within(screen.getByRole('region', { name: overview.files })).getAllByRole('link')
    expect(files.map((link) => link.getAttribute('href'))).toEqual(
      ['packs', 'opens', 'entries', 'sales', 'sell-backs', 'bids', 'transfers', 'approvals', 'orphans'].map(
        (name) => `/api/admin/${name}?format=csv`,
      ),
    )
    await userEvent.click(screen.getByRole('tab', { name: 'Settings' }))
    expect(await screen.findByText('5 percent')).toBeVisible()
    expect(screen.getAllByText('Enabled')).toHaveLength(2)
  })
})

describe('creating', () => {
  const lists = {
    'GET /api/admin/packs': { body: [somePack] },
    'GET /api/admin/items': { body: [someItem] },
    'GET /api/activity/recent': { body: [] },
    'GET /api/admin/metrics': { body: metrics },
    'POST /api/admin/packs/preview': { body: somePreview },
  }
  /** Waits for the dialog that a press opens in a transition, which `userEvent` alone doesn't. */
  const press = (button: HTMLElement) => act(() => userEvent.click(button))
  const posted = async (seen: Request[]) =>
    Promise.all(
      seen
        .filter(({ method, url }) => method === 'POST' && !url.endsWith('/preview'))
        .map((request) => request.clone().json() as Promise<unknown>),
    )

  async function open(tab: 'Items' | 'Packs', answers: Parameters<typeof stubApi>[0]) {
    const seen = stubApi({ ...lists, ...answers })
    renderPage('/admin', admin)
    await userEvent.click(await screen.findByRole('tab', { name: tab }))
    const name = tab === 'Items' ? operate.createItem : operate.createPack
    await press(screen.getByRole('button', { name }))
    const dialog = await screen.findByRole('dialog', { name })
    const type = (label: string, text: string) => userEvent.type(within(dialog).getByLabelText(label), text)
    const create = () => userEvent.click(within(dialog).getByRole('button', { name: operate.create }))
    return { seen, dialog, type, create }
  }

  it('creates an item with its value in exact cents', async () => {
    const { seen, dialog, type, create } = await open('Items', {
      'POST /api/admin/items': { body: pokemonDetail.showcase[0] },
    })
    await type(operate.name, ' 2026 Test #1 ')
    await type(operate.series, 'Pokemon')
    await userEvent.selectOptions(within(dialog).getByLabelText(operate.rarity), 'Epic')
    await type(operate.grade, '9')
    await userEvent.selectOptions(within(dialog).getByLabelText(operate.grader), 'PSA')
    await type(operate.certNumber, '0000417733')
    await type(operate.baseValueDollars, '19.99')
    await create()
    await expectToast('Item Created')
    expect(await posted(seen)).toEqual([
      {
        name: '2026 Test #1',
        series: 'Pokemon',
        rarity: 'Epic',
        grade: 9,
        certType: 'PSA',
        certNumber: '0000417733',
        baseValueCents: 1999,
      },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('sends nothing while a required field is empty', async () => {
    const { seen, dialog, type, create } = await open('Items', {})
    await type(operate.name, 'Nameless')
    await create()
    expect(within(dialog).getByLabelText(operate.series)).toBeInvalid()
    expect(await posted(seen)).toEqual([])
  })

  it.each(['nine', '0x9', '9,0,5'])(
    'reports the invalid grade %j instead of creating an item without one',
    async (typed) => {
      const { seen, dialog, type, create } = await open('Items', {})
      await type(operate.name, '2026 Test #1')
      await type(operate.series, 'Pokemon')
      await type(operate.baseValueDollars, '20')
      await type(operate.grade, typed)
      await create()
      expect(within(dialog).getByLabelText(operate.grade)).toHaveAccessibleDescription(
        operate.gradeBetween(terms.leastGrade, terms.mostGrade),
      )
      expect(within(dialog).getByLabelText(operate.grade)).toHaveValue(typed)
      expect(await posted(seen)).toEqual([])
    },
  )

  it('shows the refusal’s message, and keeps the input', async () => {
    const fields = { name: 'must be a name', 'series[0]': 'is odd' }
    const refusal = { status: 422, body: { code: 'invalid', message: 'name: must be a name', requestId: 'r1', fields } }
    const { dialog, type, create } = await open('Items', { 'POST /api/admin/items': refusal })
    await type(operate.name, '12')
    await type(operate.series, 'Pokemon')
    await type(operate.baseValueDollars, '1')
    await create()
    await expectToast(operate.error, 'name: must be a name')
    expect(within(dialog).getByLabelText(operate.name)).toHaveValue('12')
    expect(within(dialog).getByLabelText(operate.name)).toBeInvalid()
    expect(within(dialog).getByLabelText(operate.name)).toHaveAccessibleDescription('must be a name')
    expect(within(dialog).getByLabelText(operate.series)).toHaveAccessibleDescription('is odd')
    expect(within(dialog).getByLabelText(operate.rarity)).toBeValid()
  })

  it.each(['', '−1'])(
    'makes a pack that is on sale, of the default odds, without a limit: supply %j',
    async (supply) => {
      const { seen, dialog, type } = await open('Packs', {
        'POST /api/admin/packs': { body: { ...somePack, leftOut: [] } },
      })
      await type(operate.name, 'Evening Five')
      await type(editing.pack.nameZh, ' 晚间五张 ')
      await type(operate.priceDollars, '25.50')
      expect(within(dialog).getByLabelText(operate.supply)).toHaveValue('-1')
      await userEvent.clear(within(dialog).getByLabelText(operate.supply))
      await userEvent.type(within(dialog).getByLabelText(operate.supply), `${supply}{Enter}`)
      await expectToast('Pack Created')
      expect(await posted(seen)).toEqual([
        {
          name: 'Evening Five',
          nameZh: '晚间五张',
          priceCents: 2550,
          lootTableJson: {
            rarities: { Common: 0.6, Rare: 0.25, Epic: 0.1, Legendary: 0.04, Mythic: 0.01 },
            itemsPerPack: 5,
          },
          supply: -1,
          isActive: true,
          sealing: 'instant',
        },
      ])
    },
  )

  it.each([
    [1, 'Toy 1'],
    [3, 'Toy 1, Toy 2, Toy 3'],
    [5, 'Toy 1, Toy 2, Toy 3, and 2 more'],
  ])('names the cards that a pack leaves out: %i', async (count, names) => {
    const leftOut = Array.from({ length: count }, (_, n) => ({ id: `toy-${n}`, name: `Toy ${n + 1}` }))
    const { type, create } = await open('Packs', { 'POST /api/admin/packs': { body: { ...somePack, leftOut } } })
    await type(operate.name, 'Everything')
    await type(operate.priceDollars, '99')
    await create()
    await expectToast('Pack Created', operate.leftOut(names))
  })

  const losing = {
    status: 409,
    body: {
      code: 'margin',
      message: 'It loses.',
      requestId: 'r1',
      details: {
        priceCents: 500,
        expectedValueCents: 15_000,
        expectedSellBackCents: 13_500,
        lowestPriceCents: 13_500,
        series: ['Starter'],
      },
    },
  }
  const ahead = (change: Partial<PackPreview>) => ({
    'POST /api/admin/packs/preview': {
      body: {
        ...somePreview,
        refusal: 'It loses.',
        fits: { lowestPriceCents: 13_500, series: ['Starter', 'Gems'] },
        ...change,
      },
    },
  })

  it('validates while typing, suggests valid values, and applies them', async () => {
    const { seen, dialog, type, create } = await open('Packs', { ...ahead({}), 'POST /api/admin/packs': losing })
    await type(operate.name, 'Generous')
    await type(operate.priceDollars, '5')
    await userEvent.clear(within(dialog).getByLabelText(operate.itemsPerPack))
    await type(operate.itemsPerPack, '20')
    const shown = within(dialog).getByRole('region', { name: editing.pack.preview })
    await waitFor(() => expect(shown).toHaveTextContent(/\$150\.00.*\$135\.00.*−\$130\.00.*\$900\.00/))
    expect(shown).toHaveTextContent(operate.loses('$135.00', '$5.00'))
    const ways = within(dialog).getByRole('region', { name: operate.whatFits })
    await create()
    await expectToast(operate.error, operate.loses('$135.00', '$5.00'))
    await userEvent.click(within(ways).getByRole('button', { name: '$135.00' }))
    await userEvent.click(within(ways).getByRole('button', { name: 'Gems' }))
    expect(within(dialog).getByLabelText(operate.priceDollars)).toHaveValue('135.00')
    expect(within(dialog).getByLabelText(operate.drawsFrom)).toHaveValue('Gems')
    await type(operate.acceptedLoss, '100')
    await create()
    await waitFor(async () => expect(await posted(seen)).toHaveLength(2))
    expect((await posted(seen))[1]).toMatchObject({
      priceCents: 13_500,
      series: ['Gems'],
      lootTableJson: { itemsPerPack: 20 },
      acceptedLossCents: 10_000,
    })
  })

  it('suggests series when the chosen ones lack a rarity, without asking to accept a loss', async () => {
    const fields = { series: 'contains no item of the tier Mythic' }
    const { dialog, type } = await open(
      'Packs',
      ahead({
        fields,
        refusal: 'no',
        figures: { ...figures, marginCents: 1 },
        fits: { lowestPriceCents: null, series: [] },
      }),
    )
    await type(operate.name, 'Toys')
    await type(operate.priceDollars, '5')
    expect(await within(dialog).findByText(operate.noSeriesFits)).toBeVisible()
    expect(within(dialog).getByRole('region', { name: editing.pack.preview })).toHaveTextContent(fields.series)
    expect(within(dialog).queryByLabelText(operate.acceptedLoss)).not.toBeInTheDocument()
  })

  it.each([
    [operate.priceDollars, 'five', operate.amountUpTo(dollars(terms.highestPackPriceCents))],
    [operate.itemsPerPack, 'five', operate.between(1, terms.mostItemsPerPack)],
    [operate.supply, '-', operate.between(-1, terms.mostSupply)],
    [operate.acceptedLoss, '$', operate.amountUpTo(dollars(terms.highestAcceptedLossCents))],
  ])('reports invalid input in the field “%s” instead of creating a pack without it', async (...field) => {
    const [label, typed, wrong] = field
    const { seen, dialog, type, create } = await open('Packs', ahead({}))
    await type(operate.name, 'Evening Five')
    await type(operate.priceDollars, '5')
    const input = await within(dialog).findByLabelText(label)
    await userEvent.clear(input)
    await userEvent.type(input, typed)
    await create()
    expect(input).toHaveAccessibleDescription(wrong)
    expect(input).toHaveValue(typed)
    expect(await posted(seen)).toEqual([])
  })

  it('rejects incomplete shares, and says so', async () => {
    const { seen, dialog, type, create } = await open('Packs', ahead({}))
    await type(operate.name, 'Uneven')
    await type(operate.priceDollars, '5')
    await userEvent.clear(within(dialog).getByLabelText('Common'))
    await type('Common', '59.5')
    expect(dialog).toHaveTextContent(`${editing.pack.total('99.5%')} · ${editing.pack.mustBeWhole}`)
    await userEvent.clear(within(dialog).getByLabelText('Common'))
    await type('Common', 'most')
    await create()
    expect(within(dialog).getByLabelText('Common')).toHaveAccessibleDescription(editing.pack.wrongShare)
    expect(await posted(seen)).toEqual([])
  })
})

describe('editing', () => {
  const lists = {
    'GET /api/admin/packs': { body: [somePack] },
    'GET /api/admin/items': { body: [someItem] },
    'GET /api/admin/metrics': { body: metrics },
    'POST /api/admin/packs/preview': { body: somePreview },
  }
  const patched = (seen: Request[]) =>
    Promise.all(
      seen.filter(({ method }) => method === 'PATCH').map((request) => request.clone().json() as Promise<unknown>),
    )

  async function open(tab: 'Items' | 'Packs', name: string, answers: Parameters<typeof stubApi>[0]) {
    const seen = stubApi({ ...lists, ...answers })
    renderPage('/admin', admin)
    await userEvent.click(await screen.findByRole('tab', { name: tab }))
    const button = await screen.findByRole('button', { name: editing.editOf(name) })
    await act(() => userEvent.click(button))
    const dialog = await screen.findByRole('dialog')
    const retype = async (label: string, text: string) => {
      await userEvent.clear(within(dialog).getByLabelText(label))
      await userEvent.type(within(dialog).getByLabelText(label), text)
    }
    const save = () => userEvent.click(within(dialog).getByRole('button', { name: editing.save }))
    return { seen, dialog, retype, save }
  }

  it('sends only a pack’s changed fields, and keeps unchanged weights', async () => {
    const announced = { manifestHash: 'cd'.repeat(32), effectiveAt: '2026-01-02T03:14:05.000Z' }
    const { seen, dialog, retype, save } = await open('Packs', 'Pokemon', {
      'PATCH /api/admin/packs/2': { body: { ...somePack, announced, leftOut: [] } },
    })
    expect(within(dialog).getByLabelText('$15-25')).toHaveValue('39.2')
    expect(dialog).toHaveTextContent(editing.pack.untouched)
    await save()
    await expectToast(editing.unchanged)
    await retype(operate.priceDollars, '30')
    expect(within(dialog).getByLabelText(operate.sealing)).toHaveAccessibleDescription(operate.sealingHint)
    await retype(operate.supply, '500')
    expect(within(dialog).getByLabelText(operate.sealing)).toHaveAccessibleDescription(operate.sealingAdvice)
    await waitFor(async () => {
      const asked = seen.findLast(({ url }) => url.endsWith('/preview'))!
      expect(await asked.clone().json()).toEqual({ packId: '2', priceCents: 3000, supply: 500 })
    })
    await userEvent.selectOptions(within(dialog).getByLabelText(editing.pack.state), editing.pack.offSale)
    await save()
    await expectToast(editing.saved)
    expect(await patched(seen)).toEqual([{ priceCents: 3000, supply: 500, isActive: false }])
  })

  it('says that a publication and a restock wait for pending orders', async () => {
    const publishingSince = '2026-01-02T03:14:05.000Z'
    const { save, retype } = await open('Packs', 'Pokemon', {
      'GET /api/admin/packs': { body: [{ ...somePack, publishingSince }] },
      'GET /api/admin/items': { body: [{ ...someItem, stock: { ...someItem.stock!, waiting: -3 } }] },
      'PATCH /api/admin/packs/2': { body: { ...somePack, publishingSince, leftOut: [] } },
    })
    const waits = editing.pack.publishing(dateTime(publishingSince, 'en'))
    expect(screen.getByText(waits)).toBeInTheDocument()
    await retype(operate.priceDollars, '30')
    await save()
    await expectToast(editing.saved, waits)
    await act(() => userEvent.click(screen.getByRole('tab', { name: 'Items' })))
    expect(await screen.findByText(editing.item.restockWaits(-3))).toBeInTheDocument()
  })

  it('shows both names of a pack, and sends a changed or removed Chinese name', async () => {
    const { seen, dialog, retype, save } = await open('Packs', 'Pokemon', {
      'PATCH /api/admin/packs/2': { body: { ...somePack, leftOut: [] } },
    })
    expect(screen.getByText('宝可梦', { selector: 'p' })).toBeInTheDocument()
    expect(within(dialog).getByLabelText(editing.pack.nameZh)).toHaveValue('宝可梦')
    await retype(editing.pack.nameZh, '宝可梦精选')
    await save()
    await waitFor(async () => expect(await patched(seen)).toEqual([{ nameZh: '宝可梦精选' }]))
    await act(() => userEvent.click(screen.getByRole('button', { name: editing.editOf('Pokemon') })))
    const again = await screen.findByRole('dialog')
    await userEvent.clear(within(again).getByLabelText(editing.pack.nameZh))
    await userEvent.click(within(again).getByRole('button', { name: editing.save }))
    await waitFor(async () => expect((await patched(seen))[1]).toEqual({ nameZh: '' }))
  })

  it('sends all shares when one changed', async () => {
    const { seen, retype, save } = await open('Packs', 'Pokemon', {
      'PATCH /api/admin/packs/2': { body: { ...somePack, leftOut: [] } },
    })
    await retype('$5-15', '60.8')
    await save()
    await expectToast(editing.saved)
    expect(await patched(seen)).toEqual([{ lootTableJson: { rarities: { '$5-15': 0.608, '$15-25': 0.392 } } }])
  })

  it('sends only an item’s changed fields; a value is sent with its source and reason', async () => {
    const { seen, dialog, retype, save } = await open('Items', someItem.name, {
      'PATCH /api/admin/items/pkm-001': { body: someItem },
    })
    await retype(operate.baseValueDollars, '130.01')
    await userEvent.type(within(dialog).getByLabelText(editing.item.source), 'An auction')
    await userEvent.type(within(dialog).getByLabelText(editing.item.reason), 'It rose.')
    await userEvent.selectOptions(within(dialog).getByLabelText(editing.item.state), editing.item.retired)
    await userEvent.type(within(dialog).getByLabelText(editing.item.restock), '-2')
    await userEvent.clear(within(dialog).getByLabelText(operate.grade))
    await save()
    await expectToast(editing.saved)
    expect(await patched(seen)).toEqual([
      {
        grade: null,
        isActive: false,
        baseValueCents: 13_001,
        source: 'An auction',
        restock: { count: -2 },
        reason: 'It rose.',
      },
    ])
  })

  it('keeps edits when a late response arrives', async () => {
    let answer: (response: Response) => void = () => {}
    const late = new Promise<Response>((resolve) => (answer = resolve))
    const other = { ...someItem, id: 'pkm-002', name: 'Another Card' }
    const { retype, save } = await open('Items', someItem.name, {
      'GET /api/admin/items': { body: [someItem, other] },
      'PATCH /api/admin/items/pkm-001': () => late,
    })
    await retype(operate.name, 'Renamed')
    await save()
    await userEvent.keyboard('{Escape}')
    const button = await screen.findByRole('button', { name: editing.editOf(other.name) })
    await act(() => userEvent.click(button))
    const name = within(await screen.findByRole('dialog')).getByLabelText(operate.name)
    await userEvent.type(name, ' II')
    answer(Response.json(someItem))
    await expectToast(editing.saved)
    expect(name).toBeInTheDocument()
    expect(name).toHaveValue('Another Card II')
  })

  it('finds retired items, and searches words in names', async () => {
    const seen = stubApi(lists)
    renderPage('/admin', admin)
    await userEvent.selectOptions(await screen.findByLabelText(list.status), editing.item.statuses.retired)
    await userEvent.type(screen.getByRole('searchbox', { name: editing.item.search }), 'base set{enter}')
    await waitFor(() => {
      const asked = new URL(seen.findLast(({ url }) => url.includes('/api/admin/items'))!.url).searchParams
      expect([asked.get('retired'), asked.get('search')]).toEqual(['true', 'base set'])
    })
  })
})

describe('deposits', () => {
  const t = adminDeposits
  const underpaid: AdminDeposit = {
    ...someDeposit({ state: 'review', exception: 'under', transactionId: '5'.repeat(80) }),
    events: [{ state: 'review', reason: 'underpaid', by: 'house', at: '2026-01-02T03:04:05Z' }],
    userId: someUser.id,
    walletAddress: someUser.walletAddress,
    paymentId: 'p-1',
    currency: 'SOL',
    units: 90_000_000,
  }
  const orphan: Orphan = {
    paymentId: 'p-9',
    source: 'sweep',
    details: '{"ID":"p-9"}',
    createdAt: '2026-01-02T03:04:05Z',
  }
  const lists = {
    'GET /api/admin/packs': { body: [] },
    'GET /api/admin/items': { body: [] },
    'GET /api/activity/recent': { body: [] },
    'GET /api/admin/metrics': { body: metrics },
    'GET /api/admin/orphans': { body: [orphan] },
  }
  const press = (button: HTMLElement) => act(() => userEvent.click(button))

  it('shows deposits under review with the received amount, and orphaned payments', async () => {
    stubApi({ ...lists, 'GET /api/admin/deposits': { body: [underpaid] } })
    renderPage('/admin?tab=deposits', admin)
    const card = await screen.findByRole('article')
    expect(card).toHaveTextContent(/\$25\.00.*Under review.*Underpaid/)
    expect(within(card).getByText(t.received).nextSibling).toHaveTextContent('0.09 SOL')
    expect(within(card).getByText(t.why).nextSibling).toHaveTextContent(words.reasons['underpaid']!)
    const orphans = await screen.findByRole('list', { name: t.orphans })
    expect(orphans).toHaveTextContent(/p-9.*Sweep/)
  })

  it('are resolved with a reason', async () => {
    const found = [underpaid]
    const seen = stubApi({
      ...lists,
      'GET /api/admin/deposits': () => Response.json(found),
      'POST /api/admin/deposits/d-1/resolve': () => {
        found.pop()
        return Response.json({ ...underpaid, state: 'credited' })
      },
    })
    renderPage('/admin?tab=deposits', admin)
    await press(await screen.findByRole('button', { name: t.resolveOf('$25.00') }))
    const dialog = await screen.findByRole('dialog', { name: t.resolveOf('$25.00') })
    const decide = () => userEvent.click(within(dialog).getByRole('button', { name: t.confirm }))
    await decide()
    expect(within(dialog).getByLabelText(t.reason)).toHaveAccessibleDescription(t.required)
    await userEvent.selectOptions(within(dialog).getByLabelText(t.action), 'refund')
    await userEvent.type(within(dialog).getByLabelText(t.reason), 'Sent back by hand.')
    await decide()
    await expectToast(t.resolved)
    const [sent] = seen.filter(({ method }) => method === 'POST')
    expect(await sent?.clone().json()).toEqual({ action: 'refund', reason: 'Sent back by hand.' })
    expect(sent?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f-]{36}$/)
    // The row stays in place until pointer and focus leave.
    const resolved = await screen.findByText('$25.00', { exact: false })
    fireEvent.pointerLeave(resolved)
    act(() => (document.activeElement as HTMLElement | null)?.blur())
    expect(await screen.findByText(t.none)).toBeVisible()
  })

  it('show why a decision is refused; credited ones can only be refunded', async () => {
    stubApi({
      ...lists,
      'GET /api/admin/deposits': { body: [{ ...underpaid, state: 'credited' }] },
      'POST /api/admin/deposits/d-1/resolve': {
        status: 409,
        body: { code: 'conflict', message: 'No.', requestId: 'r1' },
      },
    })
    renderPage('/admin?tab=deposits', admin)
    await userEvent.selectOptions(await screen.findByLabelText(list.status), 'credited')
    await press(await screen.findByRole('button', { name: t.resolveOf('$25.00') }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getAllByRole('option')).toHaveLength(1)
    await userEvent.type(within(dialog).getByLabelText(t.reason), 'Again.')
    await userEvent.click(within(dialog).getByRole('button', { name: t.confirm }))
    await expectToast(t.error)
  })
})
