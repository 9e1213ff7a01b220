import type { Opening } from '@/contract/types'

export type Stage = 'intro' | 'animation' | 'reveal' | 'results'

/** State of the opening animation. It moves no money: the items are in the collection before they're shown. */
export interface Show {
  stage: Stage
  /** The server's response, once it has arrived. */
  opening: Opening | null
  /** Another tab has already shown this opening, so there's nothing to reveal. */
  repeated: boolean
  /** The animation has finished or was skipped; the reveal starts once the response arrives. */
  animationDone: boolean
  /** The pack may tear; shown only once the response has arrived. */
  torn: boolean
  /** Number of revealed items. */
  revealed: number
  /** Number of items whose sound and glow have played. */
  sparked: number
}

export type ShowEvent =
  | { type: 'start' }
  | { type: 'answer'; opening: Opening; repeated: boolean }
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
  revealStep: 800,
  spark: 400,
  linger: 1600,
} as const

export const initialShow: Show = {
  stage: 'intro',
  opening: null,
  repeated: false,
  animationDone: false,
  torn: false,
  revealed: 0,
  sparked: 0,
}

export function showReducer(show: Show, event: ShowEvent): Show {
  if (event.type === 'reset') return initialShow
  switch (show.stage) {
    case 'intro':
      return event.type === 'start' ? { ...initialShow, stage: 'animation' } : show
    case 'animation':
      return advance(animate(show, event))
    case 'reveal':
      return reveal(show, event)
    case 'results':
      return show
  }
}

function animate(show: Show, event: ShowEvent): Show {
  switch (event.type) {
    case 'answer':
      return { ...show, opening: event.opening, repeated: event.repeated }
    case 'tear':
      return { ...show, torn: true }
    case 'animation-end':
    case 'skip':
      return { ...show, animationDone: true }
    default:
      return show
  }
}

function advance(show: Show): Show {
  if (!show.opening) return show
  if (show.repeated) return { ...show, stage: 'results', revealed: show.opening.items.length }
  return show.animationDone ? { ...show, stage: 'reveal' } : show
}

function reveal(show: Show, event: ShowEvent): Show {
  const all = show.opening?.items.length ?? 0
  switch (event.type) {
    case 'reveal':
      return { ...show, revealed: Math.min(show.revealed + 1, all) }
    case 'spark':
      return { ...show, sparked: show.revealed }
    case 'finish':
    case 'skip':
      return { ...show, stage: 'results', revealed: all, sparked: all }
    default:
      return show
  }
}

/** Timed events, with delays in ms from the start of this phase. */
export function scheduledEvents(
  show: Pick<Show, 'stage' | 'revealed'>,
  all: number,
): [after: number, event: ShowEvent][] {
  if (show.stage === 'animation') {
    return [
      [timing.tear, { type: 'tear' }],
      [timing.animation, { type: 'animation-end' }],
    ]
  }
  if (show.stage !== 'reveal') return []
  const spark: [number, ShowEvent][] = show.revealed > 0 ? [[timing.spark, { type: 'spark' }]] : []
  return show.revealed < all
    ? [...spark, [timing.revealStep, { type: 'reveal' }]]
    : [...spark, [timing.linger, { type: 'finish' }]]
}
