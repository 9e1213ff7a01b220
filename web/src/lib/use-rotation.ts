import { useEffect, useEffectEvent, useState } from 'react'

/** Between two changes. */
const paceMs = 3000

interface Named {
  id: string
}

/**
 * The places after a turn: the newest that has none takes that of the oldest, and all others stay where they are.
 * `latest` begins with the newest; what is not in it is older than all of it.
 */
export function rotate<T extends Named>(places: readonly T[], latest: readonly T[], count: number): readonly T[] {
  const ageOf = ({ id }: Named) => latest.findIndex((one) => one.id === id) >>> 0
  const next = latest.find(({ id }) => places.every((place) => place.id !== id))
  if (!next) return places
  if (places.length < count) return [...places, next]
  const oldest = places.reduce((found, place) => (ageOf(place) > ageOf(found) ? place : found))
  return ageOf(next) < ageOf(oldest) ? places.map((place) => (place === oldest ? next : place)) : places
}

/** What is shown of something that changes often: every three seconds what `turn` makes of it, unless it stands still. */
export function useTimedUpdates<T>(first: T, turn: (before: T) => T, still: boolean): T {
  const [shown, setShown] = useState(first)
  const next = useEffectEvent(() => setShown(turn))
  useEffect(() => {
    if (still) return
    const timer = setInterval(() => next(), paceMs)
    return () => clearInterval(timer)
  }, [still])
  return shown
}

/** Some of the latest in places of their own: one at a time makes way for a newer one, where it stands. */
export function useRotation<T extends Named>(latest: readonly T[], count: number, still: boolean): readonly T[] {
  const places = useTimedUpdates<readonly T[]>(latest.slice(0, count), (before) => rotate(before, latest, count), still)
  // What is known anew of one, such as a name, is said where it stands.
  return places.map((place) => latest.find(({ id }) => id === place.id) ?? place)
}
