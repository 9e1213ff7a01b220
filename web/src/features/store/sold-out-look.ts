/** What is sold out is told by a button that cannot be pressed, but is to be read. */
export const soldOutLook = 'text-muted-foreground disabled:opacity-100'
