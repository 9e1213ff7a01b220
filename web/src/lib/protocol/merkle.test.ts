import { describe, expect, it } from 'vitest'
// Generated with golang.org/x/mod from Certificate Transparency's reference tree; a Go test verifies it.
import file from '../../../../internal/publiclog/testdata/merkle.json'
import { type Bytes, fromHex, toHex } from './bytes'
import { isConsistent, leafHash, parseCheckpoint, pathOf, rootOf } from './merkle'
import { consistencyProof, treeRoot } from '@test/fixtures/tree'

const { leaves, roots, inclusion } = file as {
  leaves: string[]
  roots: Record<string, string>
  inclusion: { index: number; size: number; proof: string[] }[]
}

const bytes = (hex: string): Bytes => fromHex(hex, hex.length / 2)!
const leaf = (index: number) => bytes(leaves[index]!)

async function rootFor(index: number, size: number, proof: readonly Bytes[], of = index): Promise<string | null> {
  const path = pathOf(index, size, proof)
  return path && toHex(await rootOf(leaf(of), path))
}

describe('an inclusion proof', () => {
  it('computes the root from every leaf', async () => {
    expect(inclusion.length).toBeGreaterThan(50)
    for (const { index, size, proof } of inclusion) {
      expect(await rootFor(index, size, proof.map(bytes))).toBe(roots[size])
    }
  })

  it('computes another root when any part of it is changed', async () => {
    for (const { index, size, proof } of inclusion) {
      const path = proof.map(bytes)
      const root = roots[size]
      const changed = path.map((_, at) =>
        path.map((hash, i) => (i === at ? hash.map((byte, k) => (k ? byte : byte ^ 1)) : hash)),
      )
      for (const other of changed) expect(await rootFor(index, size, other)).not.toBe(root)
      expect(await rootFor(index, size, path, (index + 1) % leaves.length)).not.toBe(root)
      for (const at of [index - 1, index + 1]) expect(await rootFor(at, size, path, index)).not.toBe(root)
    }
  })

  it('must have exactly the length for its place in the tree', () => {
    for (const { index, size, proof } of inclusion) {
      const path = proof.map(bytes)
      expect(pathOf(index, size, [...path, bytes(roots[size]!)])).toBeNull()
      if (path.length > 0) expect(pathOf(index, size, path.slice(1))).toBeNull()
    }
  })

  it.each([
    [0, 0],
    [1, 1],
    [-1, 2],
    [0.5, 2],
    [2 ** 53, 2 ** 53 + 2],
  ])('doesn’t exist for leaf %d in a tree of %d', (index, size) => {
    expect(pathOf(index, size, [])).toBeNull()
  })

  it('accepts only hashes of 32 bytes', () => {
    expect(pathOf(0, 2, [new Uint8Array(31)])).toBeNull()
  })
})

describe('a consistency proof', () => {
  const hashes = () => Promise.all(leaves.map((_, index) => leafHash(leaf(index))))
  const tree = async (all: readonly Bytes[], size: number) => ({
    size,
    root: toHex(await treeRoot(all.slice(0, size))),
  })

  it('connects every tree with every earlier one, and no others', async () => {
    const all = await hashes()
    for (const last of [1, 2, 3, 7, 8, 9, 16, 21]) {
      const newer = await tree(all, last)
      if (roots[last]) expect(newer.root).toBe(roots[last])
      for (let size = 1; size <= last; size += 1) {
        const older = await tree(all, size)
        const proof = await consistencyProof(size, all.slice(0, last))
        expect(await isConsistent(older, newer, proof)).toBe(true)
        const other = '00'.repeat(32)
        expect(await isConsistent({ ...older, root: other }, newer, proof)).toBe(false)
        expect(await isConsistent(older, { ...newer, root: other }, proof)).toBe(false)
        expect(await isConsistent(older, newer, [...proof, all[0]!])).toBe(false)
        for (const [at] of proof.entries()) {
          expect(await isConsistent(older, newer, proof.toSpliced(at, 1))).toBe(false)
          expect(await isConsistent(older, newer, proof.with(at, all[20]!))).toBe(proof[at] === all[20])
        }
      }
    }
  })

  it('doesn’t exist for an empty tree, or a larger one', async () => {
    const all = await hashes()
    const [three, four] = [await tree(all, 3), await tree(all, 4)]
    expect(await isConsistent({ size: 0, root: three.root }, four, [])).toBe(false)
    expect(await isConsistent(four, three, await consistencyProof(3, all.slice(0, 4)))).toBe(false)
    expect(await isConsistent(three, { ...four, size: 4.5 }, [])).toBe(false)
  })
})

describe('a checkpoint', () => {
  const root = 'XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg='

  it('contains origin, size and root', () => {
    expect(parseCheckpoint(`kaibao.test/log\n8\n${root}\n`)).toEqual({
      origin: 'kaibao.test/log',
      size: 8,
      root: roots[8],
    })
    expect(parseCheckpoint(`kaibao.test/log\n8\n${root}\nmore\n`)).toMatchObject({ size: 8 })
  })

  it.each([
    '',
    `o\n08\n${root}\n`,
    `o\n-1\n${root}\n`,
    `\n8\n${root}\n`,
    'o\n8\nAAAA\n',
    `o\n8\n${root}`,
    `o\n99999999999999999\n${root}\n`,
  ])('is invalid: %j', (text) => {
    expect(parseCheckpoint(text)).toBeNull()
  })
})
