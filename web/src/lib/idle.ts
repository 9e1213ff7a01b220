import { useEffect, useState } from 'react'

interface Turn {
  start: () => void
}

const waiting: Turn[] = []
let current: Turn | undefined

/** Calls a function when the browser is idle. Safari has no requestIdleCallback. */
export const whenIdle: (act: () => void) => void = globalThis.requestIdleCallback ?? ((act) => setTimeout(act, 50))

function startNext(): void {
  current = waiting.shift()
  const turn = current
  if (turn) whenIdle(() => turn === current && turn.start())
}

function end(turn: Turn): void {
  if (turn === current) return startNext()
  const i = waiting.indexOf(turn)
  if (i >= 0) waiting.splice(i, 1)
}

/**
 * Defers heavy content that isn't visible yet. Returns whether it may render, and a function to call when it is done.
 * Only one renders at a time, when the browser is idle, so that user input never waits for more than one.
 */
export function useIdleTurn(needed: boolean): [ready: boolean, done: () => void] {
  const [ready, setReady] = useState(!needed)
  const [turn] = useState<Turn>(() => ({ start: () => setReady(true) }))
  useEffect(() => {
    if (!needed) return
    waiting.push(turn)
    if (!current) startNext()
    return () => end(turn)
  }, [needed, turn])
  return [ready, () => end(turn)]
}
