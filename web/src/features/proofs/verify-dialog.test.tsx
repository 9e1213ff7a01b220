import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { createQueryClient } from '@/api/query-client'
import { verify as t } from './texts/en'
import type { Opening } from '@/contract/types'
import { honestOpen, leafText, manifestText } from '@test/fixtures/protocol'
import { saveSeenCommitment } from '@/lib/seen-commitments'
import { SessionContext } from '@/lib/session'
import { signedIn } from '@test/render-page'
import { honestSite, proofOf, type Site, stubSite } from '@test/fixtures/proofs'
import { VerifyDialog } from './verify-dialog'

let site: Site

beforeEach(async () => {
  site = await honestSite()
  stubSite(site)
})

function show(changed: Partial<Opening> = {}) {
  const opening = { ...site.opening, ...changed }
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <VerifyDialog openings={[opening]} open onOpenChange={() => {}} /> }),
    history: createMemoryHistory(),
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={signedIn}>
        <RouterProvider router={router as never} />
      </SessionContext>
    </QueryClientProvider>,
  )
}

const unfold = async () => userEvent.click(await screen.findByText(t.verification.allSteps))

it('says in a sentence when the result was locked, with one mark, and folds the steps away', async () => {
  const { openId, commitment } = site.opening
  saveSeenCommitment(openId, commitment, new Date().setHours(11, 3, 22))
  show()
  expect(await screen.findByText(t.verification.plain.lockedAt('11:03:22'))).toBeVisible()
  expect(screen.getByText(t.verification.steps.commitment.title)).not.toBeVisible()
  await unfold()
  expect(screen.getByText(t.verification.steps.commitment.title)).toBeVisible()
})

it('says the day, too, if it was not today', async () => {
  const { openId, commitment } = site.opening
  saveSeenCommitment(openId, commitment, Date.parse('2025-01-02T11:03:22'))
  show()
  expect(await screen.findByText(t.verification.plain.lockedAt('11:03:22 on Jan 2'))).toBeVisible()
})

it('doesn’t claim when the result was locked if this browser didn’t see it', async () => {
  show()
  expect(await screen.findByText(t.verification.plain.matches)).toBeVisible()
})

it('replays an honest open and reports that everything matches', async () => {
  saveSeenCommitment(site.opening.openId, site.opening.commitment)
  show()
  expect(await screen.findByText(t.verification.verdict.ok)).toBeVisible()
  expect(screen.getAllByText(t.verification.state.ok)).toHaveLength(16)
})

it('shows the numbers behind a step on demand', async () => {
  show()
  await unfold()
  const step = await screen.findByText(t.verification.steps.item.title(1))
  expect(screen.getAllByText(t.verification.facts.cardRoll)[0]).not.toBeVisible()
  await userEvent.click(step)
  expect(screen.getAllByText(t.verification.facts.cardRoll)[0]).toBeVisible()
})

it('expands the failed step', async () => {
  show({ totalValueCents: 1 })
  expect(await screen.findByText(t.verification.verdict.failed)).toBeVisible()
  expect(screen.getAllByText(t.verification.state.failed)).toHaveLength(1)
  expect(screen.getByText(t.verification.facts.values)).toBeVisible()
})

it('leaves steps open that this browser can’t check, and names the command that can', async () => {
  show()
  expect(await screen.findByText(t.verification.verdict.info)).toBeVisible()
  expect(screen.getAllByText(t.verification.state.info)).toHaveLength(1)
  await unfold()
  await userEvent.click(screen.getByText(t.verification.steps.announced.title))
  expect(screen.getByText(`kaibao verify log ${window.location.origin}`)).toBeVisible()
})

it('takes the commitment from the receipt of the previous open', async () => {
  const { claim, signer } = site.honest
  const before = leafText(claim).replace(/^next .*$/m, `next ${claim.commitment}`)
  const receipt = await signer.sign(before)
  const previous = { ...site.opening, openId: 'before', nonce: claim.nonce - 1 }
  site.answers['/api/opens'] = () => Response.json([site.opening, previous])
  site.answers['/api/opens/before'] = () => Response.json({ ...previous, receipt })
  show()
  expect(await screen.findByText(t.verification.verdict.ok)).toBeVisible()
})

it('compares the next commitment with the visitor’s current one, or one used since', async () => {
  site.answers['/api/fairness/commitment'] = () =>
    Response.json({ commitment: 'ee'.repeat(32), nonce: 13, userTag: '00' })
  show()
  expect(await screen.findByText(t.verification.verdict.failed)).toBeVisible()
  expect(screen.getByText('ee'.repeat(32))).toBeVisible()
})

it('waits until the log includes the leaf, then marks the step as passed', async () => {
  let placed = false
  const proof = proofOf(site.honest)
  const path = `/api/fairness/opens/${proof.openId}`
  site.answers[path] = () =>
    Response.json(placed ? proof : { ...proof, index: null, inclusionProof: null, checkpoint: null })
  saveSeenCommitment(site.opening.openId, site.opening.commitment)
  show()
  expect((await screen.findAllByText(t.verification.waiting, { selector: '.sr-only' })).length).toBe(2)
  placed = true
  expect(await screen.findByText(t.verification.verdict.ok)).toBeVisible()
})

it('names the steps of a limited pack that need the whole log, and passes none of them', async () => {
  const honest = await honestOpen(manifestText.replaceAll('-1\n', '1\n'), 4)
  site.answers[`/api/fairness/opens/${honest.claim.openId}`] = () => Response.json(proofOf(honest))
  site.answers[`/api/fairness/manifests/${honest.claim.manifestHash}`] = () => new Response(honest.evidence.manifest)
  site.answers['/log/key'] = () => new Response(honest.evidence.publishedKey)
  saveSeenCommitment(honest.claim.openId, honest.claim.commitment)
  const items = honest.claim.items.map((item, at) => ({ ...site.opening.items[at]!, ...item }))
  show({ ...honest.claim, items })
  expect(await screen.findByText(t.verification.verdict.info)).toBeVisible()
  expect(screen.getAllByText(t.verification.state.info)).toHaveLength(3)
  await unfold()
  await userEvent.click(screen.getByText(t.verification.steps.item.title(1)))
  expect(screen.getAllByText(t.verification.notes.stock)[0]).toBeVisible()
})

it('reports published data that fails to load', async () => {
  const path = `/api/fairness/manifests/${site.opening.manifestHash}`
  site.answers[path] = () => Response.json({ code: 'unavailable', message: 'no', requestId: 'r1' }, { status: 503 })
  show()
  expect(await screen.findByRole('alert')).toHaveTextContent(t.verification.failed)
})
