/**
 * Which Tailwind classes set the same property, as far as our components override each other.
 * tailwind-merge brings a table for all of Tailwind; this one spares every first load 6 kB.
 */

type Match = (value: string) => boolean
type Group = (string | Record<string, (string | Match)[]>)[]

const any: Match = () => true
/** `sm`, `2xl`, `[1.5rem]`, `[clamp(…)]`: a size and not a colour. */
const size: Match = (value) => /^(xs|sm|base|lg|\d?xl|\[(\d|clamp|min|max|calc|length).*\])$/.test(value)
const image: Match = (value) => /^(none|linear|radial|conic|\[(linear|radial|conic|url|image))/.test(value)
const thickness: Match = (value) => /^(\d+|\[[\d.]+px\])$/.test(value)

/** Classes `name-…` that form a group of their own. */
const byName = (...names: string[]) =>
  Object.fromEntries(names.map((name): [string, Group] => [name, [{ [name]: [any] }]]))

const sides = (name: string) => ['', 'x', 'y', 't', 'r', 'b', 'l'].map((side) => name + side)

export const classGroups: Record<string, Group> = {
  display: ['block', 'inline-block', 'inline', 'flex', 'inline-flex', 'grid', 'inline-grid', 'contents', 'hidden'],
  position: ['static', 'fixed', 'absolute', 'relative', 'sticky'],
  ...byName(...sides('p'), ...sides('m')),
  ...byName('size', 'w', 'h', 'min-w', 'min-h', 'max-w', 'max-h', 'aspect'),
  ...byName('inset', 'inset-x', 'inset-y', 'top', 'right', 'bottom', 'left', 'z', 'translate'),
  ...byName('gap', 'gap-x', 'gap-y', 'grid-cols', 'col-span', 'items', 'justify', 'self', 'place-items'),
  ...byName(
    'overflow',
    'overflow-x',
    'overflow-y',
    'object',
    'opacity',
    'zoom-in',
    'leading',
    'tracking',
    'line-clamp',
  ),
  'flex-direction': [{ flex: ['row', 'col', 'row-reverse', 'col-reverse'] }],
  'text-align': [{ text: ['left', 'center', 'right'] }],
  'text-wrap': [{ text: ['balance', 'pretty', 'wrap', 'nowrap'] }],
  'text-size': [{ text: [size] }],
  'text-color': [{ text: [any] }],
  font: [{ font: ['normal', 'medium', 'semibold', 'bold'] }],
  whitespace: ['truncate', { whitespace: [any] }],
  'bg-image': [{ bg: [image] }],
  'bg-color': [{ bg: [any] }],
  'border-width': [{ border: ['', thickness] }],
  'border-style': [{ border: ['solid', 'dashed', 'dotted', 'none'] }],
  'border-color': [{ border: [any] }],
  rounded: [{ rounded: ['', any] }],
  shadow: [{ shadow: ['', any] }],
}

const spacing = (name: string): Record<string, string[]> => ({
  [name]: sides(name).slice(1),
  [`${name}x`]: [`${name}r`, `${name}l`],
  [`${name}y`]: [`${name}t`, `${name}b`],
})

/** Groups that a class of the group before replaces as well. */
export const conflictingClassGroups: Record<string, string[]> = {
  ...spacing('p'),
  ...spacing('m'),
  size: ['w', 'h'],
  inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
  'inset-x': ['left', 'right'],
  'inset-y': ['top', 'bottom'],
  gap: ['gap-x', 'gap-y'],
  overflow: ['overflow-x', 'overflow-y'],
  'text-size': ['leading'],
}
