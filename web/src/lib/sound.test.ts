import { beforeEach, expect, it, vi } from 'vitest'

/** All tones played, in order. */
let tones: { pitch: number; level: number }[]
let contexts: number
let suspended: number

class FakeParam {
  value = 0
  peak = 0
  setValueAtTime = () => this
  exponentialRampToValueAtTime = (value: number) => {
    this.peak = Math.max(this.peak, value)
    return this
  }
}

class FakeNode {
  gain = new FakeParam()
  frequency = new FakeParam()
  threshold = new FakeParam()
  Q = new FakeParam()
  next?: FakeNode
  connect = (next: FakeNode) => (this.next = next)
  stop = () => {}
  start = () => {
    if (this.frequency.value > 0) {
      tones.push({ pitch: this.frequency.value, level: this.next?.gain.peak ?? 0 })
    }
  }
}

class FakeAudioContext {
  state = 'running'
  currentTime = 0
  sampleRate = 100
  destination = new FakeNode()
  constructor() {
    contexts += 1
  }
  createGain = () => new FakeNode()
  createOscillator = () => new FakeNode()
  createBufferSource = () => new FakeNode()
  createBiquadFilter = () => new FakeNode()
  createDynamicsCompressor = () => new FakeNode()
  createBuffer = () => ({ getChannelData: () => new Float32Array(8) })
  suspend = () => {
    suspended += 1
    return Promise.resolve()
  }
}

beforeEach(() => {
  tones = []
  contexts = 0
  suspended = 0
  vi.resetModules()
  vi.stubGlobal('AudioContext', FakeAudioContext)
})

it('creates no audio context at load or before a user gesture', async () => {
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: false } })
  const { playPackOpening } = await import('./sound')
  playPackOpening()
  expect(contexts).toBe(0)
})

it('uses one context for all sounds', async () => {
  const { playPackOpening, playReveal } = await import('./sound')
  playPackOpening()
  playReveal('Epic')
  expect(contexts).toBe(1)
})

it('rises in pitch and volume with rarity, and sparkles from Rare on', async () => {
  const { playReveal } = await import('./sound')
  const order = ['Common', 'Rare', 'Epic', 'Legendary', 'Mythic'] as const
  const roots = order.map((rarity) => {
    tones = []
    playReveal(rarity)
    return { ...tones[0]!, sparkles: tones.filter(({ pitch }) => pitch > 2000).length }
  })
  for (const [i, root] of roots.entries()) {
    const before = roots[i - 1]
    expect(root.sparkles).toBeGreaterThan(before?.sparkles ?? (i === 0 ? -1 : 0))
    if (!before) continue
    expect(root.pitch).toBeGreaterThan(before.pitch)
    expect(root.level).toBeGreaterThan(before.level)
  }
  expect(roots[0]?.sparkles).toBe(0)
})

it('is silent when turned off, and remembers it', async () => {
  const { playReveal } = await import('./sound')
  const { setSound } = await import('./sound-setting')
  setSound(false)
  playReveal('Mythic')
  expect(contexts).toBe(0)
  expect(localStorage.getItem('sound')).toBe('off')
  vi.resetModules()
  const again = await import('./sound')
  again.playReveal('Mythic')
  expect(contexts).toBe(0)
  const setting = await import('./sound-setting')
  setting.setSound(true)
  again.playReveal('Mythic')
  expect(contexts).toBe(1)
})

it('stops at once when turned off', async () => {
  const { playReveal } = await import('./sound')
  const { setSound } = await import('./sound-setting')
  playReveal('Mythic')
  expect(suspended).toBe(0)
  setSound(false)
  expect(suspended).toBe(1)
})
