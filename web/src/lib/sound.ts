import { type Rarity, rarities } from '@/lib/rarity'
import { sound } from '@/lib/sound-setting'

// All sounds are synthesized. Nothing is created before the first user gesture, which browsers require for audio.

/** Plays the opening of a pack for as long as its animation: 1.2 s of rustling foil, a tear, and a shimmer. */
export function playPackOpening(): void {
  withMixer((mixer, at) => {
    for (const [i, after] of [0, 0.17, 0.33, 0.52, 0.66, 0.82, 0.95, 1.06].entries()) {
      const level = 0.05 + i * 0.018
      hiss(mixer, { at: at + after, length: 0.11, level, from: 2600 + (i % 3) * 700, to: 3800, grain: 0 })
    }
    hiss(mixer, { at: at + 1.2, length: 0.42, level: 0.34, from: 900, to: 6800, grain: 46 })
    for (const [i, pitch] of pentatonic.entries()) {
      note(mixer, { at: at + 1.46 + i * 0.065, pitch: pitch * 2, level: 0.05, length: 1.1, shape: 'sine' })
    }
  })
}

/** Plays a chord that rises in pitch and volume with the rarity, and sparkles from Rare on. */
export function playReveal(rarity: Rarity): void {
  const rank = rarities.indexOf(rarity)
  withMixer((mixer, at) => {
    const root = 261.63 * 2 ** ((rank * 2) / 12)
    const level = 0.12 + rank * 0.035
    for (const [i, step] of chord.slice(0, 2 + rank).entries()) {
      const after = i * 0.035
      note(mixer, {
        at: at + after,
        pitch: root * step,
        level: level / (1 + i * 0.45),
        length: 0.7 + rank * 0.3,
        shape: 'triangle',
      })
    }
    if (rank >= rarities.indexOf('Rare')) sparkle(mixer, at + 0.12, rank)
    if (rank >= rarities.indexOf('Legendary')) {
      note(mixer, { at, pitch: 65.41, level: 0.3, length: 1.4, shape: 'sine' })
      hiss(mixer, { at, length: 1.2, level: 0.06 + rank * 0.01, from: 1200, to: 9000, grain: 0 })
    }
  })
}

const pentatonic = [523.25, 587.33, 659.25, 783.99, 880, 1046.5]
/** Root, fifth, octave, tenth, twelfth, double octave, and the third above it. */
const chord = [1, 1.5, 2, 2.52, 3, 4, 5.04]

interface Mixer {
  context: AudioContext
  out: AudioNode
  noise: AudioBuffer
}

let shared: Mixer | undefined

/** Plays on the shared mixer, which is created by the first sound after a user gesture. */
function withMixer(score: (mixer: Mixer, at: number) => void): void {
  if (!sound.get() || typeof AudioContext === 'undefined') return
  const activation = navigator.userActivation as UserActivation | undefined
  if (activation && !activation.hasBeenActive) return
  const mixer = (shared ??= createMixer())
  const { context } = mixer
  if (context.state === 'suspended') void context.resume()
  score(mixer, context.currentTime + 0.02)
}

function createMixer(): Mixer {
  const context = new AudioContext()
  const limiter = context.createDynamicsCompressor()
  limiter.threshold.value = -14
  const volume = context.createGain()
  volume.gain.value = 0.8
  limiter.connect(volume).connect(context.destination)
  sound.subscribe(() => {
    if (!sound.get()) void context.suspend()
  })
  const noise = context.createBuffer(1, context.sampleRate * 1.5, context.sampleRate)
  noise.getChannelData(0).forEach((_, i, samples) => (samples[i] = Math.random() * 2 - 1))
  return { context, out: limiter, noise }
}

interface Note {
  at: number
  pitch: number
  level: number
  length: number
  shape: OscillatorType
}

/** A tone with a quick attack and a long decay. */
function note({ context, out }: Mixer, { at, pitch, level, length, shape }: Note): void {
  const tone = context.createOscillator()
  tone.type = shape
  tone.frequency.value = pitch
  const envelope = context.createGain()
  envelope.gain.setValueAtTime(0.0001, at)
  envelope.gain.exponentialRampToValueAtTime(level, at + 0.012)
  envelope.gain.exponentialRampToValueAtTime(0.0001, at + length)
  tone.connect(envelope).connect(out)
  tone.start(at)
  tone.stop(at + length)
}

interface Hiss {
  at: number
  length: number
  level: number
  /** The center of the noise band moves from `from` to `to` hertz. */
  from: number
  to: number
  /** Interruptions per second, like tearing fibers; 0 is smooth. */
  grain: number
}

/** Band-passed noise with a moving center frequency, like foil. */
function hiss({ context, out, noise }: Mixer, { at, length, level, from, to, grain }: Hiss): void {
  const source = context.createBufferSource()
  source.buffer = noise
  const band = context.createBiquadFilter()
  band.type = 'bandpass'
  band.Q.value = 1.1
  band.frequency.setValueAtTime(from, at)
  band.frequency.exponentialRampToValueAtTime(to, at + length)
  const envelope = context.createGain()
  envelope.gain.setValueAtTime(0.0001, at)
  envelope.gain.exponentialRampToValueAtTime(level, at + length * 0.25)
  for (let i = 1; i < grain * length; i++) {
    envelope.gain.setValueAtTime(level * (i % 2 ? 0.35 : 1), at + i / grain)
  }
  envelope.gain.exponentialRampToValueAtTime(0.0001, at + length)
  source.connect(band).connect(envelope).connect(out)
  source.start(at, 0, length)
}

function sparkle(mixer: Mixer, at: number, rank: number): void {
  for (let i = 0; i < 3 + rank * 3; i++) {
    const pitch = pentatonic[(i * 2 + rank) % pentatonic.length]! * (i % 3 === 2 ? 8 : 4)
    note(mixer, { at: at + i * 0.055, pitch, level: 0.022 + rank * 0.006, length: 0.32, shape: 'sine' })
  }
}
