import type { LinkProps } from '@tanstack/react-router'

/** Every page one can go to without naming a thing, by its name in the dictionary. */
export const pages = {
  home: '/app',
  packs: '/open-packs',
  vault: '/vault',
  topUp: '/topup',
  marketplace: '/marketplace',
  leaderboard: '/leaderboard',
  roadmap: '/roadmap',
  labubus: '/labubus',
  fairness: '/fairness',
  verify: '/verify',
  myCollection: '/my-collection',
  myCards: '/my-cards',
  myOpens: '/my-opens',
  admin: '/admin',
} as const satisfies Record<string, NonNullable<LinkProps['to']>>

export type PageName = keyof typeof pages
