export { quantity } from '@/components/quantity/texts/en'
export { sealed } from '@/components/sealed/texts/en'

export const opening = {
  dialog: (pack: string) => `Open ${pack}`,
  skip: 'Skip',
  skipToEnd: 'Skip to the end',
  fastMode: 'Fast mode',
  fastModeHelp: 'Skips this page from your second pack on.',
  intro: {
    prompt: 'ready to discover what is inside?',
    start: (price: string) => `Start for ${price} Play Points`,
    contents: (n: number) => (n === 1 ? '1 item inside' : `${n} items inside`),
    odds: 'Odds per item',
    range: (low: string, high: string) => `Pulls are worth ${low}–${high}.`,
    rangeOne: (value: string) => `Every pull is worth ${value}.`,
    average: (value: string) => `Average pack value: ${value}.`,
    startMany: (n: number, price: string) => `Open ${n} packs for ${price} Play Points`,
    confirm: (total: string, balance: string) => `Spend ${total} Play Points? Balance after: ${balance}.`,
    confirmStart: (total: string) => `Confirm ${total} Play Points`,
    cancel: 'Back',
    price: 'Price per pack',
    balanceAfter: 'Balance after',
    notEnough: (missing: string) => `You need ${missing} more Play Points.`,
    nothingCharged: 'You’re only charged when you press start.',
    locked: 'Your result is locked in before you open.',
    details: 'Verification details',
    lock: 'Commitment',
    lockHelp: 'Your result is already locked. This code proves we can’t change it.',
    howItWorks: 'How it works',
    lockLoading: 'Loading the commitment…',
    lockFailed: 'Couldn’t load the lock. You weren’t charged.',
    seed: 'Your seed',
    seedHelp: 'Random text from your browser, made after the commitment was shown. You can replace it with your own.',
    seedInvalid: 'Enter 1 to 128 characters (fewer for non-Latin text).',
    newSeed: 'New random seed',
    unanswered: 'Your last open didn’t finish. Start again: you won’t be charged twice.',
  },
  animation: {
    text: 'opening pack...',
    progress: (opened: number, all: number) => `${opened} of ${all} opened`,
  },
  sealed: {
    ordering: 'Placing your order…',
    progress: (ordered: number, all: number) => `${ordered} of ${all} ordered`,
    ordered: (n: number) => (n === 1 ? 'Your order is in' : `All ${n} orders are in`),
    fixed: (n: number, seconds: number) => {
      const round = n === 1 ? 'the round' : 'their rounds'
      return seconds === 0 ? `Fixed before ${round}` : `Fixed ${seconds} s before ${round}`
    },
    waiting: (round: string) => `Unlocks with round ${round}`,
    publishing: (round: string) => `Round ${round} is being published`,
    drawn: 'opening pack...',
    late: (n: number): string =>
      n === 1
        ? 'Your order is safe. It will be drawn with this round, or refunded after 24 hours.'
        : 'Your orders are safe. They will be drawn with their rounds, or refunded after 24 hours.',
    closable: 'You can close this. Your pull history shows the result.',
    close: 'Close',
    stillDrawing: (n: number) =>
      n === 1
        ? '1 pack is still being drawn. It appears here when its round is published.'
        : `${n} packs are still being drawn. They appear here when their rounds are published.`,
    voided: (n: number, total: string) =>
      n === 1
        ? `This pack couldn’t be drawn. ${total} Play Points are back in your balance.`
        : `${n} packs couldn’t be drawn. ${total} Play Points are back in your balance.`,
  },
  run: {
    checking: (opened: number) => `${opened} opened, 1 being checked`,
    checkingHelp: 'The connection was lost. We’re retrying the same pack: you can’t be charged twice.',
    stopWaiting: 'Stop here',
    stopped: (opened: number, all: number, unspent: string) =>
      `${opened} of ${all} opened; ${unspent} points not spent.`,
    stoppedUnknown: (opened: number, all: number, unspent: string) =>
      `${opened} of ${all} opened, 1 being checked; ${unspent} points not spent.`,
    unknown: 'Open this pack again to see its result. You won’t be charged twice.',
    repeated: 'Another tab opened this pack, so we stopped.',
    unchecked: 'We couldn’t verify your last pull, so we stopped.',
    lastUnchecked: 'We couldn’t verify this pull right now. You can verify it later in your pull history.',
    next: (n: number, why: string) => `Pack ${n}: ${why}`,
    faults: {
      receipt: 'Your last pull failed verification, so we stopped. Save the report and contact support.',
      draw: 'A draw failed verification. Save the report and contact support.',
      'not-sealed':
        'You ordered a sealed pack, but the server drew it right away. Save the report and contact support.',
      'unused-commitment':
        'The server says this result was already used, but it isn’t in your pull history. Save the report and contact support.',
    },
    faultTitle: 'Something doesn’t match',
    saveReport: 'Save report',
  },
  reveal: {
    heading: (shown: number, all: number) => `${shown} of ${all}`,
    hidden: (n: number) => `Item ${n}, not revealed yet`,
    shown: (n: number, all: number, name: string, rarity: string, value: string) =>
      `Item ${n} of ${all}: ${name}, ${rarity}, ${value}`,
  },
  results: {
    heading: 'pack opened!',
    best: 'Best pull',
    grid: 'Your cards',
    offer: 'Kaibao’s offer',
    guaranteed: (until: string) => `guaranteed until ${until}`,
    choices: 'What next?',
    keep: (n: number) => (n === 1 ? 'Keep it' : `Keep all ${n}`),
    keepRest: (n: number) => (n === 1 ? 'Keep the other one' : `Keep the other ${n}`),
    anotherFor: (price: string) => `open another for ${price}`,
    anotherHelp: (price: string) => `${price} Play Points`,
    selectUnder: 'Select cards under',
    under: (value: string) => `under ${value}`,
    pick: (name: string) => `Select ${name}`,
    picked: (n: number) => (n === 1 ? '1 card selected' : `${n} cards selected`),
    clear: 'Clear',
    repeated: 'This is the pull from your other tab. You were only charged once.',
    count: (n: number) => (n === 1 ? '1 card' : `${n} cards`),
    total: 'Total value',
    paid: 'Paid',
    verify: 'verify fairness',
    copy: 'copy results',
    share: 'share',
    print: 'print',
    collection: 'view collection',
    another: 'open another',
    notEnough: (missing: string) => `You need ${missing} more Play Points to open another.`,
    announcement: (n: number, value: string) => `Pack opened! ${n}, worth ${value} in total`,
    announcementMany: (packs: number, n: number, value: string, best: string, bestValue: string) =>
      `${packs} packs opened: ${n} ${n === 1 ? 'card' : 'cards'} worth ${value} in total. Best pull: ${best}, ${bestValue}`,
  },
  copy: {
    line: (name: string, rarity: string, value: string) => `${name} - ${rarity} - ${value}`,
    total: (value: string) => `Total: ${value}`,
    done: 'results copied',
    failed: 'Couldn’t copy the results.',
  },
  toast: {
    opened: 'Pack Opened!',
    pulled: (n: number) => `You pulled ${n} items!`,
    repeated: 'Already opened',
    repeatedText: 'Another tab already opened this pack. You were only charged once.',
    ordered: 'Being drawn',
    orderedText: 'You’ll find the result in your pull history.',
    voided: 'Pack refunded',
    view: 'View pull history',
    error: 'Error Opening Pack',
    unanswered: 'We didn’t hear back from the server. Try again: you’ll get the same result and pay only once.',
    internal: 'Something went wrong on our side. Try again: you’ll get the same result and pay only once.',
    seeds: (client: string, server: string) => `Client seed: ${client} · Server seed: ${server}`,
    later: 'available after opening',
  },
}

export const demo = {
  dialog: (pack: string) => `Demo: ${pack}`,
  badge: 'DEMO',
  prompt: 'Try your luck for free',
  labubuPrompt: 'Which Labubu is inside? Find out for free',
  rip: 'demo rip',
  odds: {
    uniform: 'In the demo, every item is equally likely. Real packs use the published odds.',
    real: 'The demo uses the same odds as the real pack.',
  },
  opening: 'opening pack...',
  marketValue: 'Market value',
  price: 'Price',
  realChance: (n: string) => `In the real pack: 1 in ${n}`,
  realChancePerCard: (n: string) => `In the real pack: 1 in ${n} cards`,
  note: 'Demo items can’t be added to your vault.',
  enlarge: 'Enlarge',
  shrink: 'Shrink',
  back: 'back to packs',
  revealed: (name: string, rarity: string, value: string, chance: string) => `${name}, ${rarity}, ${value}. ${chance}`,
  failed: (why: string) => `Couldn’t load the demo. ${why}`,
}
