import { useEffect, useState } from 'react'

interface Turn {
  begin: () => void
}

const waiting: Turn[] = []
let current: Turn | undefined

/** Acts in an idle moment; Safari has none to offer. */
export const whenIdle: (act: () => void) => void = globalThis.requestIdleCallback ?? ((act) => setTimeout(act, 50))

function next(): void {
  current = waiting.shift()
  const turn = current
  if (turn) whenIdle(() => turn === current && turn.begin())
}

function end(turn: Turn): void {
  if (turn === current) return next()
  const at = waiting.indexOf(turn)
  if (at >= 0) waiting.splice(at, 1)
}

/**
 * Defers heavy content that isn't visible yet. Returns whether its turn has come, and a function that ends the turn.
 * Turns start one by one in idle moments, so that a press never waits for more than one.
 */
export function useIdleTurn(needed: boolean): [come: boolean, done: () => void] {
  const [come, setCome] = useState(!needed)
  const [turn] = useState<Turn>(() => ({ begin: () => setCome(true) }))
  useEffect(() => {
    if (!needed) return
    waiting.push(turn)
    if (!current) next()
    return () => end(turn)
  }, [needed, turn])
  return [come, () => end(turn)]
}
