import { number } from '@/lib/format'

export const sealed = {
  failed: 'Couldn’t load the state of sealed packs',
  lasting: (seconds: number) =>
    seconds < 120
      ? `${number(seconds)} s`
      : seconds < 7200
        ? `${number(Math.floor(seconds / 60))} min`
        : `${number(Math.floor(seconds / 3600))} h`,
  orders: 'Pending orders',
  ordersText: 'Paid, waiting to be drawn. This usually takes a few seconds.',
  noOrders: 'No orders are pending.',
  waiting: (count: number) => (count === 1 ? '1 order' : `${number(count)} orders`),
  oldest: 'Waiting for',
  nextRound: 'First round',
  due: 'Round due',
  lateBy: 'Late by',
  onTime: 'Not due yet',
  late: 'Late rounds',
  lateText:
    'These orders should have been drawn by now. They’re safe: each is drawn with its own round, however late, or refunded.',
  noLate: 'No round is late.',
  round: (round: number) => `Round ${number(round)}`,
  next: 'What happens next',
  drawing: 'The round is published. Its orders are being drawn.',
  refunds: (at: string) => `Refunded at ${at} unless the round is published first`,
  beacon: 'Randomness beacon',
  beaconText: 'As seen by the server that answered. Each server compares its own clock with the beacon’s.',
  name: 'Beacon',
  clock: 'Clock check',
  agrees: 'Passed',
  differs: 'Failed',
  unchecked: 'Off: no sealed pack is on sale',
  problem: (why: string) => `This server refuses orders of sealed packs: ${why}`,
  lastRound: 'Last round seen',
  none: 'None yet',
  arrived: 'Arrived',
  delay: 'Delay',
  lateness: (seconds: string, early: boolean) => (early ? `${seconds} s early` : `${seconds} s`),
  witnesses: 'Witnesses',
  noWitnesses: 'The public log has no witnesses.',
  noWitnessesText:
    'Sealed packs are drawn the same way, but no one can prove that an order came before its round. Announce witnesses with “kaibao witnesses set”.',
  policy: (quorum: number, all: number) =>
    `An order is proven once ${number(quorum)} of ${number(all)} witnesses cosign a log that contains it, before its round.`,
  quorum: 'Quorum',
  fresh: 'Within the last 2 seconds',
  idle: 'Idle: everything is cosigned',
  noQuorum: 'No quorum',
  lastQuorum: 'Last quorum',
  uncosigned: 'Entries not cosigned',
  never: 'Never',
  behind: 'An entry has waited for its place in the log for more than a second. Orders of sealed packs are refused.',
  silent: 'Too few witnesses answer. Orders of sealed packs are refused, and accepted ones may stay unproven.',
  cosigned: 'Last cosigned',
  size: 'Entries cosigned',
  lastFailure: 'Last failure',
  failures: {
    unreachable: 'Unreachable',
    refused: 'Refused',
    conflict: 'Has seen another log',
    invalid: 'Invalid signature',
    wrong_time: 'Clock differs',
  },
  noFailure: 'None seen by this server',
  reason: 'Reason',
  failedAt: (at: string, why: string) => `${at}: ${why}`,
}
