export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

/** Calls `find` now and after each of `tries` pauses, until it returns a value. */
export async function pollUntilFound<T>(
  find: () => T | undefined,
  every: number,
  tries: number,
): Promise<T | undefined> {
  for (let left = tries; left > 0; left -= 1) {
    const found = find()
    if (found !== undefined) return found
    await pause(every)
  }
  return find()
}
