import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { demo as t } from '../texts/en'
import { errors } from '@/i18n/texts/en'
import type { Item } from '@/contract/types'
import { config } from '@/lib/config'
import { labubu, labubuDetail, pokemon, pokemonDetail } from '@test/data'
import * as sounds from '@/lib/sound'
import { type Answers, stubApi } from '@test/stub-api'
import { advanceTime, showDemo } from '@test/fixtures/opening'

let asked: Request[]
let answer: () => Response | Promise<Response>

const pull = (item: Item, chance = 1 / 4300) => Response.json({ item, chance })

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(sounds, 'playPackOpening')
  vi.spyOn(sounds, 'playReveal')
  answer = () => pull(pokemonDetail.showcase[0]!)
  const answers: Answers = {}
  for (const { id } of [pokemon, labubu]) answers[`GET /api/packs/${id}/demo`] = () => answer()
  asked = stubApi(answers)
  return () => vi.useRealTimers()
})

const rip = () => fireEvent.click(screen.getByRole('button', { name: t.rip }))

describe('the demo', () => {
  it('says that it is a demo, and has a special prompt for the Labubu Base Box', async () => {
    await showDemo(labubu)
    expect(screen.getByRole('dialog', { name: t.dialog('Labubu Base Box') })).toBeVisible()
    expect(screen.getByText(t.labubuPrompt)).toBeVisible()
    expect(screen.getByText('Kaibao')).toBeVisible()
    expect(screen.getByText('Kaibao').parentElement?.querySelector('svg')).toBeVisible()
    expect(screen.getByText('BETA')).toBeVisible()
    expect(screen.getByText(t.odds.uniform)).toBeVisible()
  })

  it('plays the pack’s sound after 0.5 s, reveals after 2.5 s, and plays the item’s sound 0.8 s later', async () => {
    await showDemo(pokemon)
    expect(screen.getByText(t.prompt)).toBeVisible()
    rip()
    await advanceTime(450)
    expect(sounds.playPackOpening).not.toHaveBeenCalled()
    await advanceTime(100)
    expect(sounds.playPackOpening).toHaveBeenCalledOnce()
    await advanceTime(1800)
    expect(screen.queryByText(t.note)).not.toBeInTheDocument()
    await advanceTime(200)
    expect(screen.getByText(t.note)).toBeVisible()
    expect(sounds.playReveal).not.toHaveBeenCalled()
    await advanceTime(850)
    expect(sounds.playReveal).toHaveBeenCalledExactlyOnceWith('Epic')
  })

  it('asks for a demo card, and opens nothing', async () => {
    await showDemo(pokemon)
    rip()
    await advanceTime(2600)
    expect(asked.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      `GET /api/packs/${pokemon.id}/demo`,
    ])
  })

  it('says how likely the card is in the real pack', async () => {
    await showDemo(pokemon)
    rip()
    await advanceTime(2600)
    expect(screen.getByText('In the real pack: 1 in 4,300')).toBeVisible()
    expect(screen.getByRole('status')).toHaveTextContent('In the real pack: 1 in 4,300')
  })

  it('says so for each card of a pack with several', async () => {
    await showDemo({ ...pokemon, itemsPerPack: 5 })
    rip()
    await advanceTime(2600)
    expect(screen.getByText(t.realChancePerCard('4,300'))).toBeVisible()
  })

  it('says that it uses the real odds where the house rules require it', async () => {
    config.rules.demo = 'real'
    await showDemo(pokemon)
    expect(screen.getByText(t.odds.real)).toBeVisible()
    config.rules.demo = 'uniform'
  })

  it('shows a graded card with price and certificate link, and enlarges it on click', async () => {
    await showDemo(pokemon)
    rip()
    await advanceTime(2600)
    const card = pokemonDetail.showcase[0]!
    expect(screen.getByRole('heading', { name: card.name })).toBeVisible()
    expect(screen.getByRole('link', { name: 'PSA #1000417733' })).toHaveAttribute(
      'href',
      'https://www.psacard.com/cert/1000417733',
    )
    expect(screen.getByText(t.price).nextSibling).toHaveTextContent('$123.45')
    fireEvent.click(screen.getByRole('button', { name: t.enlarge }))
    fireEvent.click(screen.getByRole('button', { name: t.shrink, pressed: true }))
    fireEvent.click(screen.getByRole('button', { name: 'back to packs' }))
    await advanceTime(0)
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('shows a toy with its market value and without a certificate', async () => {
    answer = () => pull({ ...labubuDetail.showcase[0]!, certNumber: '', certType: '' })
    await showDemo(labubu)
    rip()
    await advanceTime(2600)
    expect(screen.getByText(t.marketValue).nextSibling).toHaveTextContent('$615.00')
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/item/labubu-1'])
  })

  it('can be skipped, but not before there is something to show', async () => {
    let letGo: (response: Response) => void = () => {}
    const held = new Promise<Response>((resolve) => {
      letGo = resolve
    })
    answer = () => held
    await showDemo(pokemon)
    rip()
    await advanceTime(100)
    fireEvent.click(screen.getByRole('button', { name: 'Skip' }))
    await advanceTime(3000)
    expect(screen.queryByText(t.note)).not.toBeInTheDocument()
    letGo(pull(pokemonDetail.showcase[0]!))
    await advanceTime(50)
    expect(screen.getByText(t.note)).toBeVisible()
  })

  it('shows why the card failed to load, and can be retried', async () => {
    answer = () => Promise.reject(new TypeError('Failed to fetch'))
    await showDemo(pokemon)
    rip()
    await advanceTime(5000)
    expect(screen.getByRole('alert')).toHaveTextContent(t.failed(errors.network))
    answer = () => pull(pokemonDetail.showcase[0]!)
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await advanceTime(2600)
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    expect(screen.getByText(t.note)).toBeVisible()
  })
})
