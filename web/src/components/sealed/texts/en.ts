export const sealed = {
  mark: 'Sealed',
  markChoice: 'Sealed or instant',
  promise: (seconds: number) => `Locked by us, unlocked ${seconds} seconds later by public randomness nobody controls.`,
  witnessedPromise: (seconds: number) =>
    `Sealed: nobody on earth knows yet. Unlocked at least ${seconds} seconds after your order by public randomness nobody controls.`,
  unwitnessedPromise: (seconds: number) =>
    `Locked by us, unlocked ${seconds} seconds later by public randomness nobody controls. Anyone who follows the log can see your order, but no witness confirms when it was placed.`,
  testPromise: (seconds: number) =>
    `Locked by us, unlocked at least ${seconds} seconds later by a randomness beacon. In test mode, we run that beacon ourselves.`,
  picture: 'How a sealed pack is drawn',
  lock: 'Locked by us',
  lockText: 'before you order',
  beacon: 'Public randomness',
  testBeacon: 'Test beacon',
  beaconText: (seconds: number) => `at least ${seconds} seconds later`,
  cards: 'Your cards',
  cardsText: 'decided by both',
  how: 'How it works',
  steps: {
    order:
      'Your order goes into our public log with the number of a beacon round that isn’t out yet. Anyone who follows the log sees it there before the round.',
    witnessedOrder:
      'Your order goes into our public log with the number of a beacon round that isn’t out yet. Witnesses sign that it’s there before the round.',
    beacon:
      'The beacon is drand. Independent organizations run it together and publish a new random number every 3 seconds. None of them can know or choose it alone.',
    testBeacon:
      'This site is in test mode and runs its own beacon. Draws work the same way, but prove nothing about insiders.',
    cards: 'That number, our locked key and your seed decide your cards. You can verify all three afterwards.',
    late: 'If the beacon is late, your order waits for its round. If there’s no round for 24 hours, you get your points back.',
  },
  learnMore: 'What sealed packs prove',
  mode: 'How to open',
  modes: {
    sealed: { name: 'Sealed', text: (seconds: number) => `drawn at least ${seconds} seconds later` },
    instant: { name: 'Instant', text: () => 'drawn right away' },
  },
}
