import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { operate } from '@/features/operate/texts/en'
import { dismissToast } from '@/lib/toast'
import { activity, labubu, pokemon, pokemonDetail, someUser } from '@/test/data'
import { renderPage, signedIn, signedOut } from '@/test/render-page'
import { stubApi } from '@/test/stub-api'
import { toasted } from '@/test/toasted'

const admin = { ...signedIn, user: { ...someUser, role: 'admin' as const } }

beforeEach(dismissToast)

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

  it('shows items, packs, activity and settings to an admin, and only they are led there', async () => {
    stubApi({
      'GET /api/admin/packs': {
        body: [
          { ...pokemon, soldOut: true },
          { ...labubu, isActive: false },
          { ...labubu, id: '9', isActive: false, paused: 'The accepted loss of 5.00 is used up.' },
        ],
      },
      'GET /api/items': { body: pokemonDetail.showcase, headers: { 'X-Total-Count': '1019' } },
      'GET /api/activity/recent': { body: activity },
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
    await userEvent.click(screen.getByRole('tab', { name: 'Settings' }))
    expect(await screen.findByText('5 percent')).toBeVisible()
    expect(screen.getAllByText('Enabled')).toHaveLength(2)
  })
})

describe('creating', () => {
  const lists = {
    'GET /api/admin/packs': { body: [pokemon] },
    'GET /api/items': { body: pokemonDetail.showcase, headers: { 'X-Total-Count': '1019' } },
    'GET /api/activity/recent': { body: [] },
  }
  /** A dialog opens in a transition, and React's own act drops what a transition leaves for later. */
  const press = (button: HTMLElement) => act(() => userEvent.click(button))
  const posted = async (seen: Request[]) =>
    Promise.all(
      seen.filter(({ method }) => method === 'POST').map((request) => request.clone().json() as Promise<unknown>),
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

  it('makes an item with its value in exact cents', async () => {
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
    await toasted('Item Created')
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

  it('asks for nothing while something required is missing', async () => {
    const { seen, dialog, type, create } = await open('Items', {})
    await type(operate.name, 'Nameless')
    await create()
    expect(within(dialog).getByLabelText(operate.series)).toBeInvalid()
    expect(await posted(seen)).toEqual([])
  })

  it('shows the message of a refusal, and keeps what was typed', async () => {
    const fields = { name: 'must be a name', 'series[0]': 'is odd' }
    const refusal = { status: 422, body: { code: 'invalid', message: 'name: must be a name', requestId: 'r1', fields } }
    const { dialog, type, create } = await open('Items', { 'POST /api/admin/items': refusal })
    await type(operate.name, '12')
    await type(operate.series, 'Pokemon')
    await type(operate.baseValueDollars, '1')
    await create()
    await toasted('Error', 'name: must be a name')
    expect(within(dialog).getByLabelText(operate.name)).toHaveValue('12')
    expect(within(dialog).getByLabelText(operate.name)).toBeInvalid()
    expect(within(dialog).getByLabelText(operate.name)).toHaveAccessibleDescription('must be a name')
    expect(within(dialog).getByLabelText(operate.series)).toHaveAccessibleDescription('is odd')
    expect(within(dialog).getByLabelText(operate.rarity)).toBeValid()
  })

  it('makes a pack that is on sale, of the default odds, without a limit when the supply is empty', async () => {
    const { seen, dialog, type, create } = await open('Packs', {
      'POST /api/admin/packs': { body: { ...pokemon, leftOut: [] } },
    })
    await type(operate.name, 'Evening Five')
    await type(operate.priceDollars, '25.50')
    expect(within(dialog).getByLabelText(operate.supply)).toHaveValue(-1)
    await userEvent.clear(within(dialog).getByLabelText(operate.supply))
    await create()
    await toasted('Pack Created')
    expect(await posted(seen)).toEqual([
      {
        name: 'Evening Five',
        priceCents: 2550,
        lootTableJson: {
          rarities: { Common: 0.6, Rare: 0.25, Epic: 0.1, Legendary: 0.04, Mythic: 0.01 },
          itemsPerPack: 5,
        },
        supply: -1,
        isActive: true,
      },
    ])
  })

  it.each([
    [1, 'Toy 1'],
    [3, 'Toy 1, Toy 2, Toy 3'],
    [5, 'Toy 1, Toy 2, Toy 3, and 2 more'],
  ])('names what a pack leaves out: %i cards', async (count, names) => {
    const leftOut = Array.from({ length: count }, (_, n) => ({ id: `toy-${n}`, name: `Toy ${n + 1}` }))
    const { type, create } = await open('Packs', { 'POST /api/admin/packs': { body: { ...pokemon, leftOut } } })
    await type(operate.name, 'Everything')
    await type(operate.priceDollars, '99')
    await create()
    await toasted('Pack Created', operate.leftOut(names))
  })

  const details = {
    priceCents: 500,
    expectedValueCents: 15_000,
    expectedSellBackCents: 13_500,
    lowestPriceCents: 13_500,
    series: ['Starter', 'Gems'],
  }
  const losing = { status: 409, body: { code: 'margin', message: 'It loses.', requestId: 'r1', details } }

  it('offers what would pass where the margin guard refuses, and takes it over', async () => {
    const { seen, dialog, type, create } = await open('Packs', { 'POST /api/admin/packs': losing })
    await type(operate.name, 'Generous')
    await type(operate.priceDollars, '5')
    await userEvent.clear(within(dialog).getByLabelText(operate.itemsPerPack))
    await type(operate.itemsPerPack, '20')
    await create()
    await toasted('Error', operate.loses('$135.00', '$5.00'))
    const ways = await within(dialog).findByRole('region', { name: operate.whatFits })
    expect(ways).toHaveTextContent(/\$150\.00.*\$135\.00.*\$5\.00/)
    await userEvent.click(within(ways).getByRole('button', { name: '$135.00' }))
    await userEvent.click(within(ways).getByRole('button', { name: 'Gems' }))
    expect(within(dialog).getByLabelText(operate.priceDollars)).toHaveValue(135)
    expect(within(dialog).getByLabelText(operate.drawsFrom)).toHaveValue('Gems')
    await create()
    await waitFor(async () => expect(await posted(seen)).toHaveLength(2))
    expect((await posted(seen))[1]).toMatchObject({
      priceCents: 13_500,
      series: ['Gems'],
      lootTableJson: { itemsPerPack: 20 },
    })
  })

  it('offers series where those chosen lack a rarity, and asks for no loss', async () => {
    const refusal = {
      status: 422,
      body: {
        code: 'invalid',
        message: 'series: no',
        requestId: 'r1',
        fields: { series: 'no' },
        details: { series: [] },
      },
    }
    const { dialog, type, create } = await open('Packs', { 'POST /api/admin/packs': refusal })
    await type(operate.name, 'Toys')
    await type(operate.priceDollars, '5')
    await create()
    expect(await within(dialog).findByText(operate.noSeriesFits)).toBeVisible()
    expect(within(dialog).getByLabelText(operate.drawsFrom)).toHaveAccessibleDescription('no')
    expect(within(dialog).queryByLabelText(operate.acceptedLoss)).not.toBeInTheDocument()
  })

  it('asks for the loss that is accepted where the margin guard refuses', async () => {
    const answers: Parameters<typeof stubApi>[0] = { 'POST /api/admin/packs': losing }
    const { seen, dialog, type, create } = await open('Packs', answers)
    await type(operate.name, 'Generous')
    await type(operate.priceDollars, '5')
    expect(within(dialog).queryByLabelText(operate.acceptedLoss)).not.toBeInTheDocument()
    await create()
    await toasted('Error', operate.loses('$135.00', '$5.00'))
    expect(await within(dialog).findByLabelText(operate.acceptedLoss)).toBeVisible()
    await type(operate.acceptedLoss, '100')
    await create()
    await waitFor(async () => expect(await posted(seen)).toHaveLength(2))
    expect((await posted(seen))[1]).toMatchObject({ acceptedLossCents: 10_000 })
  })
})
