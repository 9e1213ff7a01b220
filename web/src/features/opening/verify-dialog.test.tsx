import { QueryClientProvider } from '@tanstack/react-query'
import { configure, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Opening } from '@/lib/api/types'
import { type HonestOpen, leafText } from '@/lib/fair/fixture'
import { createQueryClient, queryKeys } from '@/lib/query'
import { honestResult, refusal, stubServer } from './fixture'
import { VerifyDialog } from './verify-dialog'

let opening: Opening
let honest: HonestOpen
let answers: Record<string, () => Response>

beforeAll(async () => {
  // The dialog's code is loaded on demand: on a busy machine that takes longer than a query waits by itself.
  configure({ asyncUtilTimeout: 5000 })
  ;({ result: opening, honest } = await honestResult())
})

beforeEach(() => {
  answers = {
    [`/api/fairness/manifests/${opening.manifestHash}`]: () => new Response(honest.evidence.manifest),
    '/log/key': () => new Response(`${honest.evidence.logKey}\n`),
  }
  stubServer(answers)
})

function show(changed: Partial<Opening> = {}, shownCommitment?: string, opens: Opening[] = []) {
  const queryClient = createQueryClient()
  queryClient.setQueryData(queryKeys.opens, opens)
  render(
    <QueryClientProvider client={queryClient}>
      <VerifyDialog opening={{ ...opening, ...changed }} open onOpenChange={() => {}} shownCommitment={shownCommitment} />
    </QueryClientProvider>,
  )
}

it('draws an honest open again and says that everything matches', async () => {
  show({}, opening.commitment)
  expect(await screen.findByText('Everything matches. This draw was fair.')).toBeVisible()
  expect(screen.getAllByText('Holds')).toHaveLength(10)
})

it('shows the numbers behind a step on demand', async () => {
  show({}, opening.commitment)
  const step = await screen.findByText('Item 1, drawn again')
  expect(screen.getAllByText('Roll for the card')[0]).not.toBeVisible()
  await userEvent.click(step)
  expect(screen.getAllByText('Roll for the card')[0]).toBeVisible()
})

it('shows commitment, seeds, nonce, and where the odds stand', async () => {
  show()
  expect(await screen.findByText(opening.commitment, { selector: 'dd.select-all' })).toBeVisible()
  expect(screen.getByText(opening.clientSeed, { selector: 'dd.select-all' })).toBeVisible()
  expect(screen.getByRole('link', { name: /Odds and cards/ })).toHaveAttribute(
    'href',
    `/api/fairness/manifests/${opening.manifestHash}`,
  )
})

it('opens the step that does not hold', async () => {
  show({ totalValueCents: 1 }, opening.commitment)
  expect(await screen.findByText(/Something does not match/)).toBeVisible()
  expect(screen.getAllByText('Does not hold')).toHaveLength(1)
  expect(screen.getByText('Values in cents')).toBeVisible()
})

it('leaves open what this page no longer knows', async () => {
  show()
  expect(await screen.findByText('Everything that can be checked here matches.')).toBeVisible()
  expect(screen.getAllByText('Open')).toHaveLength(1)
})

it('takes the seal from the receipt of the open before', async () => {
  const announcing = leafText(honest.claim).replace(`next ${'ab'.repeat(32)}`, `next ${opening.commitment}`)
  const receipt = await honest.signer.sign(announcing)
  show({}, undefined, [{ ...opening, nonce: opening.nonce - 1, receipt }])
  expect(await screen.findByText('Everything matches. This draw was fair.')).toBeVisible()
})

it('says when the published data cannot be fetched', async () => {
  answers['/log/key'] = refusal(503, 'unavailable')
  show()
  expect(await screen.findByRole('alert')).toHaveTextContent('The published data could not be fetched')
})
