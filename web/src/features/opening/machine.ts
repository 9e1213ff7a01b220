import type { Opening } from '@/contract/types'

export type Stage = 'intro' | 'animation' | 'reveal' | 'results'

/** Where the show stands. Nothing here moves money: the haul is in the collection before it is shown. */
export interface Show {
  stage: Stage
  /** The answer, from the moment it is there. */
  opening: Opening | null
  /** Another tab of this browser has shown this opening before: there is nothing to reveal. */
  repeated: boolean
  /** The animation has run its time, or was skipped: it ends as soon as the answer is there. */
  ripe: boolean
  /** The pack may tear: it does so only with something in it. */
  torn: boolean
  /** How many items lie open. */
  revealed: number
  /** How many of them have had their sound and glow. */
  sparked: number
}

export type ShowEvent =
  | { type: 'start' }
  | { type: 'answer'; opening: Opening; repeated: boolean }
  | { type: 'tear' }
  | { type: 'ripen' }
  | { type: 'reveal' }
  | { type: 'spark' }
  | { type: 'finish' }
  | { type: 'skip' }
  | { type: 'reset' }

/** Milliseconds. The request leaves half a second after the start, so that a change of mind still counts. */
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
  ripe: false,
  torn: false,
  revealed: 0,
  sparked: 0,
}

export function play(show: Show, event: ShowEvent): Show {
  if (event.type === 'reset') return initialShow
  switch (show.stage) {
    case 'intro':
      return event.type === 'start' ? { ...initialShow, stage: 'animation' } : show
    case 'animation':
      return onward(animate(show, event))
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
    case 'ripen':
    case 'skip':
      return { ...show, ripe: true }
    default:
      return show
  }
}

function onward(show: Show): Show {
  if (!show.opening) return show
  if (show.repeated) return { ...show, stage: 'results', revealed: show.opening.items.length }
  return show.ripe ? { ...show, stage: 'reveal' } : show
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

/** What happens by itself, counted from the moment the show entered this phase. */
export function agenda(show: Pick<Show, 'stage' | 'revealed'>, all: number): [after: number, event: ShowEvent][] {
  if (show.stage === 'animation') {
    return [
      [timing.tear, { type: 'tear' }],
      [timing.animation, { type: 'ripen' }],
    ]
  }
  if (show.stage !== 'reveal') return []
  const spark: [number, ShowEvent][] = show.revealed > 0 ? [[timing.spark, { type: 'spark' }]] : []
  return show.revealed < all
    ? [...spark, [timing.revealStep, { type: 'reveal' }]]
    : [...spark, [timing.linger, { type: 'finish' }]]
}
