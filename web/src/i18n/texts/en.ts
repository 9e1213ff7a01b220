import type { ErrorCode } from '@/contract/error'

/** A code, or one of its kinds: of a rule of the house, without an end, or of an act that moves money or items. */
type Refusal =
  | ErrorCode
  | `house_limit.${'highestPackCents' | 'spentDayCents' | 'opensDay'}`
  | 'excluded.ever'
  | 'internal.act'

export const errors: Record<Refusal, string> = {
  network: 'No answer from the server. Check your connection and try again.',
  unknown: 'An unexpected error occurred',
  malformed: 'The server did not understand this request. Reload the page and try again.',
  unsupported_media_type: 'The server did not understand this request. Reload the page and try again.',
  method_not_allowed: 'The server did not understand this request. Reload the page and try again.',
  too_slow: 'The request took too long to arrive. Please try again.',
  unauthenticated: 'Connect your wallet to continue.',
  wallet_mismatch: 'Your wallet shows another account. Sign in with it to continue.',
  bad_signature: 'The signature does not match this wallet. Please sign again.',
  no_cookie: 'Your browser blocks cookies. Allow them for this site, then sign in again.',
  insufficient_funds: 'Not enough Play Points. You were not charged.',
  forbidden: 'You are not allowed to do this.',
  own_interest: 'An admin in this request would gain from it. Another admin must do this.',
  limit_reached: 'You have as many of these as one may have. End one first, or wait.',
  loss_limit: 'Your limit on net losses leaves {leftCents} until {renewsAt}. You were not charged.',
  deposit_limit: 'Your top-up limit leaves {leftCents} until {renewsAt}. Nothing was charged or added.',
  house_limit: 'The rules of this house do not allow this open now. You were not charged. They stand at House rules.',
  'house_limit.highestPackCents': 'By the rules of this house a pack costs at most {most}. You were not charged.',
  'house_limit.spentDayCents':
    'By the rules of this house you may spend {most} a day on packs: again from {renewsAt}. You were not charged.',
  'house_limit.opensDay':
    'By the rules of this house you may open {#most} packs a day: again from {renewsAt}. You were not charged.',
  age_unconfirmed: 'Please confirm your age first.',
  switched_off: 'This is switched off in this house. Nothing was bought or sold.',
  timed_out:
    'You are taking a time-out until {until}. You were not charged. What you own you can still sell and claim.',
  excluded:
    'You have excluded yourself until {until}. You were not charged. What you own you can still sell and claim.',
  'excluded.ever':
    'You have excluded yourself for good. You were not charged. What you own you can still sell and claim.',
  too_early: 'This can be confirmed 24 hours after you asked for it.',
  not_found: 'This no longer exists.',
  misdirected: 'This server does not answer at this address.',
  request_waiting: 'A request like this is waiting for approval already. Nothing was done.',
  request_outdated: 'A value has changed since this was requested. Refuse it and ask again.',
  nothing_arrived: 'No payment has arrived for this deposit, so there is nothing to credit.',
  conflict: 'Somebody was faster. Reload and try again.',
  commitment_changed: 'The sealed seed changed before your draw. You were not charged. Please try again.',
  manifest_changed: 'The odds of this pack were updated. You were not charged. Please look at them again.',
  already_sold: 'This item has already been sold. You were not charged.',
  own_listing: 'This is your own listing.',
  not_listed: 'This item is no longer listed. You were not charged.',
  already_listed: 'This item is already listed.',
  already_claimed: 'This item is already being sent to you.',
  not_vaulted: 'Only items in the vault can be claimed. Send it there first.',
  not_claimable: 'Only items of limited stock can be claimed.',
  signature_used: 'This transaction has paid for something else already. Nothing was added.',
  price_changed: 'The price has changed. You were not charged.',
  already_bid: 'You bid for this already. Change that bid.',
  already_filled: 'This bid has been filled.',
  bid_ended: 'This bid is not open any more.',
  better_bid: 'Somebody pays more for this now. Nothing was sold.',
  confirm_price: 'This price is far from the value. Please confirm it.',
  declined: 'The owner does not take bids as low as this.',
  no_buyer: 'Nobody buys this now. Nothing was sold.',
  margin: 'By its odds this pack is expected to pay back more than it costs.',
  sold_out: 'This pack is sold out. You were not charged.',
  inactive: 'This pack is not on sale at the moment. You were not charged.',
  too_large: 'This is too large to send.',
  invalid: 'Please check what you entered.',
  idempotency_mismatch: 'This request was already used for something else. Reload the page.',
  rate_limited: 'Too many requests. Wait a moment and try again.',
  internal: 'Something went wrong on our side. Please try again.',
  'internal.act':
    'Something went wrong on our side. Whatever was paid or pulled is in your history: look there before you try again.',
  unavailable: 'The server is busy. Wait a moment and try again.',
  log_forked: 'The public log is being checked. Nothing was done. Please come back later.',
  checkout_disabled: 'Paying by card is switched off. Use Play Points.',
}

/** What the parts that every page is made of say. */
export const common = {
  product: 'Kaibao',
  beta: 'BETA',
  social: 'Follow us',
  chat: 'Join the chat',
  tagline: 'digital packs, physical cards',
  playPoints: 'Play Points',
  pointWorth: '1 point = $1',
  close: 'Close',
  tryAgain: 'Try again',
  missingCode: {
    offline: 'You’re offline. We’ll continue as soon as you’re back.',
    failed: 'Part of the page couldn’t be loaded. Trying again...',
  },
  fresh: (count: string) => `${count} new · show`,
  numbers: {
    whole: 'Whole numbers only.',
    decimals: (most: number) => (most === 1 ? 'At most one decimal.' : `At most ${most} decimals.`),
    which: 'Which one do you mean?',
  },
  notification: 'Notification',
  notifications: 'Notifications (F8)',
  settings: {
    soundOn: 'Turn sound on',
    soundOff: 'Turn sound off',
    pauseMotion: 'Pause moving pictures',
    playMotion: 'Play moving pictures',
  },
  user: {
    connectWallet: 'Connect wallet',
    connected: 'Connected',
    balanceFailed: 'Failed to fetch wallet',
  },
}
