/** Cover widths for the `sizes` attribute: on a store card, and the maximum on the pack page. */
export const coverSizes = { card: '12.25rem', page: '26rem' }
