/** How wide covers are shown, in the form of HTML's sizes: on a card of the store, and at its widest on the pack's page. */
export const coverSizes = { card: '12.25rem', page: '26rem' }
