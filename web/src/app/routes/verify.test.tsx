import { onlineManager } from '@tanstack/react-query'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { honestSite, proofOf, type Site, stubSite } from '@test/fixtures/proofs'
import { proofFile } from '@/features/proofs/proof-file'
import { verify as t } from '@/features/proofs/texts/en'
import { saveTrustedWitnesses, trustedWitnesses } from '@/lib/trusted-witnesses'
import { saveSeenCommitment } from '@/lib/seen-commitments'
import { expectToast } from '@test/expect-toast'
import { logged, newSigner, newWitness } from '@test/fixtures/protocol'
import { newSealedServer, roundSeconds, type SealedOpen } from '@test/fixtures/sealed'
import { renderPage, signedIn } from '@test/render-page'

let site: Site

beforeEach(async () => {
  site = await honestSite()
  stubSite(site)
})

const failed = () =>
  screen
    .findAllByText(t.verification.state.failed)
    .then((marks) => marks.map((mark) => mark.closest('summary')?.textContent))
const crossed = (...titles: string[]) => titles.map((title) => `${t.verification.state.failed}${title}`)

async function drop(text: string, name = 'proof.json') {
  renderPage('/verify')
  const input = await screen.findByLabelText(t.check.file)
  const file = new File([text], name)
  fireEvent.drop(input, { dataTransfer: { files: [file] } })
}

describe('the proof of an open', () => {
  const open = () => `/verify/${site.opening.openId}`

  it('is verified for any visitor, and names the steps that need the whole log', async () => {
    renderPage(open())
    expect(await screen.findByText(t.verification.verdict.info)).toBeVisible()
    expect(screen.getByText(t.verification.counts(12, 2, 0))).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Demo Pack 1' })).toBeVisible()
    expect(screen.queryByText(t.proof.mine)).not.toBeInTheDocument()
  })

  it('is fully verified for the user who opened the pack in this browser', async () => {
    saveSeenCommitment(site.opening.openId, site.opening.commitment)
    renderPage(open(), signedIn)
    expect(await screen.findByText(t.verification.verdict.ok)).toBeVisible()
    expect(screen.getByText(t.proof.mine)).toBeVisible()
  })

  it('leaves the next commitment open to its owner after a restore', async () => {
    const renamed = await site.honest.signer.renamed('kaibao.test/log/0123456789abcdef')
    const { nonce } = site.honest.claim
    site.answers['/log/key'] = () => new Response(renamed.verifierKey)
    site.answers['/api/fairness/replaced-keys'] = () => Response.json({ keys: [] })
    site.answers['/api/fairness/commitment'] = () =>
      Response.json({ commitment: 'cd'.repeat(32), nonce: nonce + 1, userTag: '00' })
    saveSeenCommitment(site.opening.openId, site.opening.commitment)
    renderPage(open(), signedIn)
    expect(await screen.findByText(t.verification.verdict.info)).toBeVisible()
    expect(screen.getByText(t.verification.notes.newCommitments)).toBeInTheDocument()
  })

  it('leaves it open, too, if only the log’s beginning shows that a restore came after the order', async () => {
    const { nonce } = site.honest.claim
    const ask = (time: string) => {
      const first = new TextEncoder().encode(
        `kaibao-epoch/v1\norigin kaibao.test/old\nsize 7\nroot ${'ab'.repeat(32)}\ntime ${time}\n`,
      )
      site.answers['/log/checkpoint'] = () => new Response('kaibao.test/log\n5\n\n')
      site.answers['/log/tile/entries/000.p/5'] = () =>
        new Response(new Uint8Array([first.length >> 8, first.length & 255, ...first, 0, 1, 65]))
      renderPage(open(), signedIn)
    }
    site.answers['/api/fairness/commitment'] = () =>
      Response.json({ commitment: 'cd'.repeat(32), nonce: nonce + 1, userTag: '00' })
    saveSeenCommitment(site.opening.openId, site.opening.commitment)
    ask('2026-01-02T03:04:05.679Z')
    expect(await screen.findByText(t.verification.verdict.info)).toBeVisible()
    cleanup()
    ask('2026-01-02T03:04:05.678Z')
    expect(await failed()).toEqual(crossed(t.verification.steps.next.title))
  })

  it('shows the commands to check it by hand', async () => {
    renderPage(open())
    await userEvent.click(await screen.findByRole('heading', { name: t.byHand.title }))
    expect(screen.getByText(/kaibao\/v1\/seed/, { selector: 'code' })).toBeVisible()
    expect(screen.getByText(site.opening.commitment, { selector: 'p code' })).toBeVisible()
  })

  it('is reported as missing for an unknown id', async () => {
    renderPage('/verify/unknown')
    expect(await screen.findByRole('heading', { name: t.proof.unknown })).toBeVisible()
    expect(screen.getAllByRole('link', { name: t.proof.checkFile })[0]).toHaveAttribute('href', '/verify')
  })

  it('reports a failed fetch, and can be retried', async () => {
    const answer = site.answers[`/api/fairness/opens/${site.opening.openId}`]!
    site.answers[`/api/fairness/opens/${site.opening.openId}`] = () =>
      Response.json({ code: 'unavailable', message: 'no', requestId: 'r1' }, { status: 503 })
    renderPage(open())
    expect(await screen.findByRole('alert')).toHaveTextContent(t.proof.failed)
    site.answers[`/api/fairness/opens/${site.opening.openId}`] = answer
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText(t.verification.verdict.info)).toBeVisible()
  })
})

describe('a file', () => {
  const saved = (change: (text: string) => string = (text) => text) => {
    const { honest } = site
    return change(proofFile(honest.claim.openId, { proof: proofOf(honest), manifest: honest.evidence.manifest }))
  }
  const swap = (from: string | RegExp, to: string) =>
    saved((text) => {
      const changed = text.replace(from, to)
      expect(changed).not.toBe(text)
      return changed
    })

  it('is verified independently of the site’s data', async () => {
    await drop(saved())
    expect(await screen.findByText(t.verification.verdict.info)).toBeVisible()
    expect(screen.getByText(t.verification.counts(12, 2, 0))).toBeVisible()
    expect(screen.getByText(t.check.checked('proof.json'))).toBeVisible()
  })

  it('needs no server once the page has loaded', async () => {
    renderPage('/verify')
    const input = await screen.findByLabelText(t.check.file)
    const text = saved()
    site.answers = {}
    await userEvent.upload(input, new File([text], 'proof.json', { type: 'application/json' }))
    expect(await screen.findByText(t.verification.verdict.info)).toBeVisible()
    expect(screen.queryByText(t.verification.state.failed)).not.toBeInTheDocument()
  })

  it('with a changed weight has another manifest hash', async () => {
    await drop(swap('tier 100 0 0 Epic', 'tier 101 0 0 Epic'))
    expect(await failed()).toContain(crossed(t.verification.steps.manifest.title)[0])
  })

  it('with a changed checkpoint has an invalid signature', async () => {
    await drop(swap(/(?<="checkpoint": "[^"]*)log\\n5/, 'log\\n9'))
    expect(await failed()).toEqual(crossed(t.verification.steps.inclusion.title, t.verification.steps.checkpoint.title))
  })

  it('with a changed receipt contradicts the leaf', async () => {
    await drop(swap(/(?<="receipt": "[^"]*)price 2500/, 'price 2501'))
    expect(await failed()).toEqual(crossed(t.verification.steps.receipt.title, t.verification.steps.leaf.title))
  })

  it('signed with another key is not from this site', async () => {
    const other = await honestSite()
    const { honest } = other
    await drop(proofFile(honest.claim.openId, { proof: proofOf(honest), manifest: honest.evidence.manifest }))
    expect(await failed()).toEqual(crossed(t.verification.steps.logKey.title))
  })

  it('with only a receipt is completed with the site’s data', async () => {
    await drop(site.honest.proof.receipt, 'receipt.txt')
    expect(await screen.findByText(t.verification.counts(12, 2, 0))).toBeVisible()
  })

  const bid =
    'kaibao-bid/v1\nid 0190-d\nscope item:pkm-1\npeg 95\nmost 1000\nquantity 3\nleft 2\n' +
    'expires 2026-02-01T03:04:05.678Z\ntime 2026-01-02T03:04:05.678Z\n'

  it('with a bid’s receipt shows what was signed', async () => {
    await drop(await site.honest.signer.sign(bid), 'bid.txt')
    expect(await screen.findByText(t.verification.state.ok)).toBeVisible()
    expect(screen.getByText(t.bid.pegged('95%', '$10.00'))).toBeVisible()
    expect(screen.getByText(t.bid.left('3', '2'))).toBeVisible()
  })

  it('with a bid’s receipt from before a restore is valid', async () => {
    const renamed = await site.honest.signer.renamed('kaibao.test/log/0123456789abcdef')
    site.answers['/log/key'] = () => new Response(renamed.verifierKey)
    site.answers['/api/fairness/replaced-keys'] = () => Response.json({ keys: [] })
    await drop(await site.honest.signer.sign(bid), 'bid.txt')
    expect(await screen.findByText(t.verification.state.ok)).toBeVisible()
  })

  it('with a changed bid receipt has an invalid signature', async () => {
    await drop((await site.honest.signer.sign(bid)).replace('most 1000', 'most 9000'), 'bid.txt')
    expect(await failed()).toEqual(crossed(t.verification.steps.receipt.title))
  })

  it.each([
    ['the site', true],
    ['a network', false],
  ])('with only a receipt is verified as far as possible without %s', async (_, online) => {
    renderPage('/verify')
    const input = await screen.findByLabelText(t.check.file)
    const key = site.answers['/log/key']!
    site.answers = { '/log/key': key }
    onlineManager.setOnline(online)
    onTestFinished(() => onlineManager.setOnline(true))
    await userEvent.upload(input, new File([site.honest.proof.receipt], 'receipt.txt', { type: 'text/plain' }))
    expect(await screen.findByText(t.verification.verdict.info)).toBeVisible()
    expect(screen.getByText(t.verification.notes.manifest)).toBeInTheDocument()
    expect(screen.getAllByText(t.verification.notes.receiptOnly)).toHaveLength(3)
    expect(screen.getByText(t.verification.counts(3, 6, 0))).toBeVisible()
  })

  it('saved by Windows as UTF-16 with CRLF is read', async () => {
    renderPage('/verify')
    const input = await screen.findByLabelText(t.check.file)
    const text = `\ufeff${site.honest.proof.receipt.replaceAll('\n', '\r\n')}`
    const units = Uint16Array.from(text, (unit) => unit.charCodeAt(0))
    await userEvent.upload(input, new File([units], 'receipt.txt', { type: 'text/plain' }))
    expect(await screen.findByText(t.verification.verdict.info)).toBeVisible()
  })

  it.each([
    ['invalid JSON', '{', t.check.unreadable],
    ['other JSON', '{"leaf": 1}', t.check.unreadable],
    ['a file larger than any proof', 'x'.repeat(8_000_001), t.check.tooLarge],
  ])('with %s is rejected, and another file can follow', async (_, text, why) => {
    await drop(text)
    expect(await screen.findByRole('alert')).toHaveTextContent(why)
    expect(screen.getByLabelText(t.check.file)).toBeInTheDocument()
  })
})

describe('a sealed pull', () => {
  it('saves all that proves it, and is checked offline with the witnesses that the visitor named', async () => {
    const server = await newSealedServer('2', 1)
    const opened = await server.open('my seed')
    const witness = await newWitness()
    const proof = await server.prove(opened, (checkpoint) => witness.cosign(checkpoint, roundSeconds - 1))
    site.answers['/log/key'] = () => new Response(server.signer.verifierKey)
    renderPage('/verify')
    const input = await screen.findByLabelText(t.check.file)
    const keys = screen.getByLabelText(t.witnesses.keys)
    await userEvent.type(keys, 'no key')
    await userEvent.click(screen.getByRole('button', { name: t.witnesses.save }))
    expect(await screen.findByRole('alert')).toHaveTextContent(t.witnesses.invalid)
    await userEvent.clear(keys)
    await userEvent.type(keys, witness.verifierKey)
    await userEvent.click(screen.getByRole('button', { name: t.witnesses.save }))
    await expectToast(t.witnesses.saved)
    onTestFinished(() => saveTrustedWitnesses(''))
    site.answers = {}
    const file = proofFile(opened.drawn.openId, { proof, manifest: opened.manifest })
    await userEvent.upload(input, new File([file], 'proof.json', { type: 'application/json' }))
    expect(await screen.findByText(t.verification.limitsFixed)).toBeVisible()
    const passed = screen.getByText(t.verification.steps.fixed.title).closest('summary')
    expect(passed).toHaveTextContent(t.verification.state.ok)
  })

  it('says that it isn’t drawn yet, from the proof or receipt of its order', async () => {
    const server = await newSealedServer('2', 1)
    const { ordered, manifest } = await server.open('my seed')
    const leaf = ordered.receipt.slice(0, ordered.receipt.indexOf('\n\n') + 1)
    const proof = { ...(await logged(leaf, server.signer)), receipt: ordered.receipt }
    site.answers['/log/key'] = () => new Response(server.signer.verifierKey)
    await drop(proofFile(ordered.openId, { proof, manifest }))
    expect(await screen.findByText(t.verification.plain.pending('657,413'))).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Demo Pack 1' })).toBeVisible()
    expect(screen.queryByText(t.verification.state.failed)).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: t.proof.save })).toBeVisible()
  })

  it('says plainly that a restore lost its order, and doesn’t look like a success', async () => {
    const server = await newSealedServer('2', 1)
    const { drawn } = await server.open('my seed')
    const leaf = drawn.receipt
      .slice(0, drawn.receipt.indexOf('\n\n') + 1)
      .replace('kaibao-open/v2', 'kaibao-void/v1')
      .replace(/^serverSeed .*\n/m, '')
      .replace(/^signature .*\nitems .*\n/m, 'reason lost\nserverSeed -\n')
    site.answers['/log/key'] = () => new Response(server.signer.verifierKey)
    await drop(JSON.stringify(await logged(leaf, server.signer)))
    const result = await screen.findByText(t.verification.plain.lost)
    expect(result.closest('[role=status]')?.parentElement?.parentElement).not.toHaveClass(/positive/)
    expect(screen.getByText(t.verification.notes.lost)).toBeInTheDocument()
    expect(screen.queryByText(t.verification.state.failed)).not.toBeInTheDocument()
  })

  it.each([
    ['answer to its order', ({ ordered }: SealedOpen) => ordered],
    ['answer with its draw', ({ drawn }: SealedOpen) => drawn],
    // Without the balance and the next commitment, as GET /api/opens/ID answers.
    ['record', ({ drawn }: SealedOpen) => ({ ...drawn, balanceCents: undefined, next: undefined })],
  ])('accepts the saved %s', async (_, answer) => {
    const server = await newSealedServer('2', 1)
    const opened = await server.open('my seed')
    const proof = await server.prove(opened, () => Promise.resolve(''))
    const { openId } = opened.drawn
    site.answers[`/api/fairness/opens/${openId}`] = () => Response.json({ openId, ...proof })
    site.answers[`/api/fairness/manifests/${opened.manifestHash}`] = () => new Response(opened.manifest)
    site.answers['/log/key'] = () => new Response(server.signer.verifierKey)
    await drop(JSON.stringify(answer(opened)))
    expect(await screen.findByText(t.verification.plain.sealed('657,413'))).toBeVisible()
    expect(screen.queryByText(t.verification.state.failed)).not.toBeInTheDocument()
  })

  it('is verified without its order if the file’s order has no leaf', async () => {
    const server = await newSealedServer('2', 1)
    const opened = await server.open('my seed')
    const { order: _, ...proof } = await server.prove(opened, () => Promise.resolve(''))
    site.answers['/log/key'] = () => new Response(server.signer.verifierKey)
    await drop(JSON.stringify({ ...proof, order: opened.drawn.order }))
    expect(await screen.findByText(t.verification.steps.order.title)).toBeInTheDocument()
    expect(screen.queryByText(t.verification.state.failed)).not.toBeInTheDocument()
  })

  it('accepts the receipt of an order that has been drawn', async () => {
    const server = await newSealedServer('2', 1)
    const { ordered, manifest, manifestHash, drawn } = await server.open('my seed')
    const proof = await server.prove({ ordered, drawn } as SealedOpen, () => Promise.resolve(''))
    site.answers[`/api/fairness/opens/${ordered.openId}`] = () => Response.json({ openId: ordered.openId, ...proof })
    site.answers[`/api/fairness/manifests/${manifestHash}`] = () => new Response(manifest)
    site.answers['/log/key'] = () => new Response(server.signer.verifierKey)
    await drop(ordered.receipt, 'receipt.txt')
    expect(await screen.findByText(t.verification.plain.sealed('657,413'))).toBeVisible()
    expect(screen.queryByText(t.verification.state.failed)).not.toBeInTheDocument()
  })

  it('asks whether the key of its order was replaced since, if only the draw is signed with the current one', async () => {
    const server = await newSealedServer('2', 1)
    const opened = await server.open('my seed')
    const proof = await server.prove(opened, () => Promise.resolve(''))
    const other = await newSigner('kaibao.test/other')
    const receipt = await other.sign(proof.order!.leaf)
    site.answers['/log/key'] = () => new Response(server.signer.verifierKey)
    const asked = vi.fn(() => Response.json({ keys: [] }))
    site.answers['/api/fairness/replaced-keys'] = asked
    await drop(proofFile(opened.drawn.openId, { proof: { ...proof, order: { ...proof.order!, receipt } } }))
    // It wasn't.
    expect(await failed()).toEqual(crossed(t.verification.steps.orderReceipt.title))
    expect(asked).toHaveBeenCalledOnce()
  })
})

describe('the witnesses that a visitor trusts', () => {
  it('can be filled in from the log’s, and are saved only on request', async () => {
    const { verifierKey } = await newWitness('a.test/w')
    site.answers['/log/witnesses'] = () => new Response(`quorum 1\nwitness ${verifierKey}\n`)
    renderPage('/verify')
    await userEvent.click(await screen.findByRole('button', { name: t.witnesses.useOurs }))
    expect(screen.getByLabelText(t.witnesses.keys)).toHaveValue(`quorum 1\nwitness ${verifierKey}`)
    expect(trustedWitnesses.get()).toBe('')
    await userEvent.click(screen.getByRole('button', { name: t.witnesses.save }))
    await expectToast(t.witnesses.saved)
    onTestFinished(() => saveTrustedWitnesses(''))
    expect(trustedWitnesses.get()).toContain(verifierKey)
  })

  it('are typed if the log has none', async () => {
    renderPage('/verify')
    await screen.findByLabelText(t.witnesses.keys)
    expect(screen.queryByRole('button', { name: t.witnesses.useOurs })).not.toBeInTheDocument()
  })
})

describe('looking up an open', () => {
  it('works by id', async () => {
    const { history } = renderPage('/verify')
    await userEvent.type(await screen.findByLabelText(t.check.openId), ` ${site.opening.openId} {Enter}`)
    expect(history.location.pathname).toBe(`/verify/${site.opening.openId}`)
  })

  it('rejects anything else', async () => {
    renderPage('/verify')
    await userEvent.type(await screen.findByLabelText(t.check.openId), 'no number!{Enter}')
    expect(screen.getByRole('alert')).toHaveTextContent(t.check.invalidId)
    expect(screen.getByLabelText(t.check.openId)).toBeInvalid()
  })
})
