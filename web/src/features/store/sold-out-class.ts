/** Keeps the label of a disabled sold-out button readable. */
export const soldOutClass = 'text-muted-foreground disabled:opacity-100'
