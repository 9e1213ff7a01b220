const longest = 40

/** The first 40 characters and an ellipsis; a name that fits stays as it is. */
export function truncatedName(name: string): string {
  return name.length <= longest ? name : `${name.slice(0, longest)}...`
}
