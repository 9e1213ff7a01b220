import { useEffect, useEffectEvent, useState } from 'react'

const intervalMs = 3000

interface Named {
  id: string
}

/**
 * Replaces the oldest displayed row by the newest that isn't displayed; the others stay in place. `latest` is sorted
 * newest first; rows not in it count as older.
 */
export function rotate<T extends Named>(places: readonly T[], latest: readonly T[], count: number): readonly T[] {
  const ageOf = ({ id }: Named) => latest.findIndex((one) => one.id === id) >>> 0
  const next = latest.find(({ id }) => places.every((place) => place.id !== id))
  if (!next) return places
  if (places.length < count) return [...places, next]
  const oldest = places.reduce((found, place) => (ageOf(place) > ageOf(found) ? place : found))
  return ageOf(next) < ageOf(oldest) ? places.map((place) => (place === oldest ? next : place)) : places
}

/** A value that `turn` updates every three seconds, unless `still`. */
export function useTimedUpdates<T>(first: T, turn: (before: T) => T, still: boolean): T {
  const [shown, setShown] = useState(first)
  const next = useEffectEvent(() => setShown(turn))
  useEffect(() => {
    if (still) return
    const timer = setInterval(() => next(), intervalMs)
    return () => clearInterval(timer)
  }, [still])
  return shown
}

/** Some of the latest rows, each in a fixed place; one at a time is replaced by a newer one. */
export function useRotation<T extends Named>(latest: readonly T[], count: number, still: boolean): readonly T[] {
  const places = useTimedUpdates<readonly T[]>(latest.slice(0, count), (before) => rotate(before, latest, count), still)
  // Updated fields, such as a name, are shown in place.
  return places.map((place) => latest.find(({ id }) => id === place.id) ?? place)
}
