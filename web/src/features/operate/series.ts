/** The series of the shipped catalogue (specification, section 3) and the starter pool; an item may name another. */
export const knownSeries = [
  'Basketball',
  'Football',
  'Pokemon',
  'Soccer',
  'Baseball',
  'One Piece',
  'Labubu Collection',
  'Labubu Deluxe Collection',
  'Starter',
] as const
