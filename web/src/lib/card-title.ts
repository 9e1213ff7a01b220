/** A card's name in the parts that collectors look for. */
export interface CardTitle {
  /** Player or character, with the variant, such as "Charizard Holo"; a name of another form as a whole. */
  subject: string
  /** Grader, grade and its words, such as "PSA 9 MINT". */
  grade?: string
  /** Year, set and number, such as "1999 Pokemon Base Set #4". */
  set?: string
}

// The catalogue's form of names; internal/art/title.go draws labels from the same.
const cardName = /^(\d{4} .+? #\S+) (.+?) ((?:PSA|CGC|BGS|SGC) [\d.]+(?: .+)?)$/

/** Splits the name of a graded card. */
export function cardTitle(name: string): CardTitle {
  const [, set, subject, grade] = cardName.exec(name) ?? []
  if (set === undefined || subject === undefined || grade === undefined) return { subject: name }
  return { subject, grade, set }
}
