import type { Haul } from './haul'

export type Stage = 'intro' | 'animation' | 'reveal' | 'results'

/** State of the opening animation. It moves no money: the items are in the collection before they're shown. */
export interface Show {
  stage: Stage
  /** What was pulled, once all responses have arrived. */
  haul: Haul | null
  /** The haul with late draws, which arrived during the reveal. */
  grown: Haul | null
  /** The pack is drawn later: it floats until then, and tears afterwards. */
  sealed: boolean
  /** Another tab has already shown it, so there's nothing to reveal. */
  repeated: boolean
  /** The animation has finished or was skipped; the reveal starts once the response arrives. */
  animationDone: boolean
  /** The user skipped the animation. */
  skipped: boolean
  /** The pack may tear; shown only once the response has arrived. */
  torn: boolean
  /** Skipping leads directly to the results. */
  skipsReveal: boolean
  /** Number of revealed items. */
  revealed: number
  /** Number of items whose sound and glow have played. */
  sparked: number
}

export type ShowEvent =
  | { type: 'start'; quantity: number; sealed?: boolean }
  | { type: 'answer'; haul: Haul; repeated: boolean }
  /** A late draw has arrived. */
  | { type: 'more'; haul: Haul }
  | { type: 'tear' }
  | { type: 'animation-end' }
  | { type: 'reveal' }
  | { type: 'spark' }
  | { type: 'finish' }
  | { type: 'skip' }
  | { type: 'reset' }

/** Milliseconds. The request waits half a second, so that closing the dialog right away cancels it. */
export const timing = {
  request: 500,
  tear: 1200,
  animation: 2000,
  sealedTear: 800,
  revealStep: 800,
  spark: 400,
  linger: 1600,
} as const

/** How long the items of several packs take to be revealed together, at most, in milliseconds. */
const longestReveal = 5000

/** Milliseconds between two revealed items. Several packs are revealed faster, so that ten take no longer than six. */
export function revealStep({ openings, items }: Haul): number {
  return openings.length === 1 ? timing.revealStep : Math.min(timing.revealStep, longestReveal / items.length)
}

export const initialShow: Show = {
  stage: 'intro',
  haul: null,
  grown: null,
  sealed: false,
  repeated: false,
  skipsReveal: false,
  animationDone: false,
  skipped: false,
  torn: false,
  revealed: 0,
  sparked: 0,
}

export function showReducer(show: Show, event: ShowEvent): Show {
  if (event.type === 'reset') return initialShow
  switch (show.stage) {
    case 'intro':
      if (event.type !== 'start') return show
      return {
        ...initialShow,
        stage: 'animation',
        skipsReveal: event.quantity > 1,
        sealed: event.sealed ?? false,
      }
    case 'animation':
      return advance(animate(show, event))
    case 'reveal':
      return reveal(show, event)
    case 'results':
      return event.type === 'more' ? { ...show, haul: event.haul } : show
  }
}

function animate(show: Show, event: ShowEvent): Show {
  switch (event.type) {
    case 'answer':
      return { ...show, haul: event.haul, repeated: event.repeated, torn: show.torn || show.sealed }
    case 'tear':
      return { ...show, torn: true }
    case 'more':
      return { ...show, haul: event.haul }
    case 'animation-end':
      return { ...show, animationDone: true }
    case 'skip':
      return { ...show, animationDone: true, skipped: true }
    default:
      return show
  }
}

function advance(show: Show): Show {
  if (!show.haul) return show
  const all = show.haul.items.length
  // Nothing to reveal.
  if (show.repeated || all === 0) return { ...show, stage: 'results', revealed: all }
  if (show.skipped && show.skipsReveal) return { ...show, stage: 'results', revealed: all, sparked: all }
  return show.animationDone ? { ...show, stage: 'reveal' } : show
}

function reveal(show: Show, event: ShowEvent): Show {
  const all = show.haul?.items.length ?? 0
  switch (event.type) {
    case 'reveal':
      return { ...show, revealed: Math.min(show.revealed + 1, all) }
    case 'spark':
      return { ...show, sparked: show.revealed }
    case 'more':
      return { ...show, grown: event.haul }
    case 'finish':
    case 'skip':
      return { ...show, stage: 'results', haul: show.grown ?? show.haul, revealed: all, sparked: all }
    default:
      return show
  }
}

/** Timed events, with delays in ms from the start of this phase. `step` is the time between two items. */
export function scheduledEvents(
  show: Pick<Show, 'stage' | 'revealed'> & Partial<Pick<Show, 'sealed' | 'torn'>>,
  all: number,
  step: number = timing.revealStep,
): [after: number, event: ShowEvent][] {
  if (show.stage === 'animation' && show.sealed) {
    return show.torn ? [[timing.sealedTear, { type: 'animation-end' }]] : []
  }
  if (show.stage === 'animation') {
    return [
      [timing.tear, { type: 'tear' }],
      [timing.animation, { type: 'animation-end' }],
    ]
  }
  if (show.stage !== 'reveal') return []
  const spark: [number, ShowEvent][] = show.revealed > 0 ? [[Math.min(timing.spark, step / 2), { type: 'spark' }]] : []
  return show.revealed < all ? [...spark, [step, { type: 'reveal' }]] : [...spark, [timing.linger, { type: 'finish' }]]
}
