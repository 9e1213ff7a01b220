export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

/** Looks now and after each of `tries` pauses, until there is something to see. */
export async function poll<T>(look: () => T | undefined, every: number, tries: number): Promise<T | undefined> {
  for (let left = tries; left > 0; left -= 1) {
    const found = look()
    if (found !== undefined) return found
    await pause(every)
  }
  return look()
}
