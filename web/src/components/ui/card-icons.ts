import { createLucideIcon } from 'lucide-react'

// Lucide's drawings merged into one path each: every card of a list renders them, and Lucide's vault has ten elements.

const dot = (x: number, y: number) => circle(x, y, 0.5)
const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`
const icon = (name: string, ...parts: string[]) => createLucideIcon(name, [['path', { d: parts.join(''), key: name }]])

export const VaultIcon = icon(
  'vault',
  'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z',
  dot(7.5, 7.5),
  dot(16.5, 7.5),
  dot(7.5, 16.5),
  dot(16.5, 16.5),
  circle(12, 12, 2),
  'M7.9 7.9l2.7 2.7M13.4 10.6l2.7-2.7M7.9 16.1l2.7-2.7M13.4 13.4l2.7 2.7',
)

export const HandCoinsIcon = icon(
  'hand-coins',
  'M11 15h2a2 2 0 1 0 0-4h-3c-.6 0-1.1.2-1.4.6L3 17',
  'M7 21l1.6-1.4c.3-.4.8-.6 1.4-.6h4c1.1 0 2.1-.4 2.8-1.2l4.6-4.4a2 2 0 0 0-2.75-2.91l-4.2 3.9M2 16l6 6',
  circle(16, 9, 2.9),
  circle(6, 5, 3),
)

export const GiftIcon = icon(
  'gift',
  'M12 7v14M20 11v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-8',
  'M7.5 7a1 1 0 0 1 0-5A4.8 8 0 0 1 12 7a4.8 8 0 0 1 4.5-5 1 1 0 0 1 0 5',
  'M4 7h16a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1z',
)

export const TagIcon = icon(
  'tag',
  'M12.586 2.586A2 2 0 0 0 11.172 2H4a2 2 0 0 0-2 2v7.172a2 2 0 0 0 .586 1.414l8.704 8.704a2.426 2.426 0 0 0 3.42 0l6.58-6.58a2.426 2.426 0 0 0 0-3.42z',
  dot(7.5, 7.5),
)
