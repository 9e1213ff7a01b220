import { number } from '@/lib/format'

export const fairness = {
  title: 'Fairness',
  text: 'How draws work, what they prove and what they don’t, and how to check them yourself.',
  how: 'How draws work',
  diagram:
    'Diagram: the server shows the lock of a secret key, then your browser adds a seed. Together with the published odds, key and seed decide your cards. The signed result goes into a public log.',
  diagramLabels: {
    server: 'We lock first',
    serverHint: 'our key stays secret',
    you: 'You add a seed',
    youHint: 'made after the lock',
    table: 'Published odds',
    tableHint: 'fixed by their hash',
    draw: 'The draw',
    drawHint: 'HMAC-SHA-256',
    result: 'Your cards',
    resultHint: 'and our key revealed',
    log: 'Public log',
    logHint: 'signed, append-only',
  },
  steps: [
    {
      title: 'We lock first',
      text: 'Before you press anything, our server picks a secret key for your next pack and shows its lock: the key’s SHA-256 hash. The lock fixes the key without revealing it, and stays the same until you open. Proofs call them server seed and commitment.',
    },
    {
      title: 'You add a seed',
      text: 'After seeing the lock, your browser makes a random seed, or you type one. We only get it when you open, and by then we can’t change our key.',
    },
    {
      title: 'Key and seed decide',
      text: 'Our key, your seed, a counter and the published table of odds and cards go into one formula. Anyone who runs it gets the same cards, and neither side can choose them alone.',
    },
    {
      title: 'We reveal and sign',
      text: 'Right after the draw, we show our key. Check that it matches the lock, then repeat the draw yourself. You also get a signed receipt that we can’t take back.',
    },
    {
      title: 'The log records it',
      text: 'Every open, odds table and lock is an entry in a public, append-only log. We can’t remove one, or draw twice and show you one result: the signed checkpoint would no longer match.',
    },
  ],
  log: 'Public log, live',
  logText: 'This root hash covers every entry ever written. We sign a new one whenever something is added.',
  size: 'Entries',
  opens: 'Packs opened',
  root: 'Root hash',
  signedAt: 'Signed',
  origin: 'Origin',
  emptyLog: 'No checkpoint has been signed yet.',
  checkpointLink: 'Signed checkpoint',
  keyLink: 'Log key',
  command: 'Verify everything yourself',
  commandChecks: [
    'Every entry is in the signed tree',
    'Every lock is used once, by that player’s next open',
    'Every odds table was published before use, and stock never went below zero',
    'Every draw gives the same result when repeated',
    'Every day’s books are there and match the opens and prices in the log',
  ],
  commandHelp:
    'Downloads the log, repeats every draw and compares the checkpoint with the last one you saw. Exits with 0 only if everything matches.',
  copy: 'Copy',
  copied: 'Command copied',
  copyFailed: 'Couldn’t copy the command.',
  checkOne: 'Verify one pull',
  books: 'Actual results vs. published odds',
  booksText: 'Every draw of each pack since its current odds took effect. The gold line marks the published odds.',
  allBooks: 'See the public books',
  booksFailed: 'Couldn’t load the results',
  logFailed: 'Couldn’t load the log',
  noPacks: 'No published odds yet',
  noPacksText: 'Odds and results appear here as soon as a pack is on sale.',
  packOpens: (opens: number) => (opens === 1 ? '1 open' : `${number(opens)} opens`),
  since: (date: string) => `since ${date}`,
  table: 'Odds table',
  columns: { tier: 'Tier', chance: 'Odds', drawn: 'Drawn', expected: 'Expected', share: 'Share' },
  tableOf: (pack: string) => `Results for ${pack}`,
  none: 'No opens yet.',
  few: 'Too few draws to tell luck from manipulation.',
  likely: (times: string) =>
    `Even a fair pack is this uneven or more in ${times} runs of this length. Nothing unusual.`,
  unusual: (times: string) =>
    `A fair pack is at least this uneven in only ${times} runs of this length. With this many packs, that happens.`,
  unlikely: (times: string) =>
    `A fair pack is at least this uneven in only ${times} runs of this length. Verify the log: every draw can be repeated.`,
  outOf: (n: number, of: number) => `${number(n)} of ${number(of)}`,
  lessThan: (n: number, of: number) => `fewer than ${number(n)} of ${number(of)}`,
  pValue: (p: string, chi: string, degrees: number) => `χ² = ${chi} with ${degrees} degrees of freedom, p = ${p}`,
  sealed: {
    title: 'Sealed packs',
    text: 'With an instant pack, someone who reads our unused keys could work out which seed wins. A sealed pack is ordered first and drawn seconds later, with a number from a public randomness beacon that wasn’t out yet.',
    proves: 'What a sealed draw proves',
    provesText: [
      {
        title: 'The order came first',
        text: 'Order, seed and round are in the public log before the round. Anyone who follows the log sees them there. If the log has witnesses, they sign that they saw it, so you don’t have to follow it yourself.',
      },
      {
        title: 'The round decided',
        text: 'The order’s time fixes its round. The beacon (drand quicknet) is run by independent organizations, and each round has exactly one valid signature. No group smaller than the threshold can predict or change it.',
      },
      {
        title: 'Nothing was dropped',
        text: 'Each order must be drawn with its round. Only if the beacon is silent for 24 hours do you get your points back instead. The log shows every order and what became of it.',
      },
    ],
    remains: 'What stays possible',
    remainsText: [
      'We could play with made-up money, at the published odds like everyone else.',
      'We know a result a moment before you do: between the beacon’s round and your reveal.',
      'Enough witnesses, or enough of the beacon’s operators, could team up with someone who reads our keys. Without witnesses, an order could be back-dated unless someone was following the log.',
    ],
    witnesses: {
      title: 'Our log’s witnesses',
      failed: 'Couldn’t load the witnesses',
      none: 'Our log has no witnesses. Only someone who follows the log can tell that an order came before its round.',
      quorum: (quorum: number, all: number) =>
        all === 1
          ? 'One witness signs that it saw an order before its round.'
          : quorum === all
            ? `${all === 2 ? 'Both' : `All ${number(all)}`} witnesses must sign that they saw an order before its round.`
            : `At least ${number(quorum)} of ${number(all)} witnesses must sign that they saw an order before its round.`,
      chosen: 'We chose them, so decide for yourself which ones you trust.',
      name: 'Name the witnesses you trust',
    },
    test: 'This site is in test mode and runs its own beacon: its draws work the same way, but prove nothing about insiders.',
  },
  limits: 'What this doesn’t prove',
  limitsText: [
    {
      title: 'That insiders don’t play',
      text: 'Someone who could read an unused key would know which cards each seed leads to. We store keys encrypted, but you can’t see from outside who opens packs. This applies to instant packs. Sealed packs add public randomness that comes after the order.',
    },
    {
      title: 'That the cards exist',
      text: 'Math can show that a card was drawn at the published odds. It can’t show that the card is in our vault.',
    },
  ],
}

export const verify = {
  verification: {
    title: 'Verify fairness',
    text: 'Your browser repeats this draw using only public data. Open a step to see its numbers.',
    checking: 'Repeating the draw…',
    failed: 'Couldn’t load the public data',
    verdict: {
      ok: 'Everything matches. This draw was fair.',
      info: 'Everything that can be checked here matches.',
      failed: 'Something doesn’t match. Save this proof: it shows what our server signed.',
    },
    plain: {
      onDay: (time: string, day: string) => `${time} on ${day}`,
      lockedAt: (time: string) => `We locked this result at ${time}, before you clicked. The lock and key match.`,
      lockedBefore: 'We locked this result before you clicked. The lock and key match.',
      matches: 'The lock and key match.',
      lock: 'Result locked',
      click: 'Pack opened',
      reveal: 'Key revealed',
      ordered: 'Ordered',
      round: (n: string) => `Round ${n}`,
      drawn: 'Drawn',
      sealed: (round: string) => `Drawn with round ${round} of the public beacon, published after your order.`,
      sealedTest: 'Drawn with this site’s own test beacon. It proves nothing about insiders.',
      pending: (round: string) => `Ordered, but not drawn yet. Round ${round} will draw it.`,
      voided: 'This order couldn’t be drawn. The price was refunded.',
      lost: 'We restored an older backup and lost this order’s key, so it can never be drawn. It wasn’t charged. This is our fault, and everyone can see it in the public log.',
      beforeClick: 'before the click',
      sameLock: 'matches the lock',
    },
    choose: 'Pull to verify',
    choice: (n: number, items: string) => `${n}. ${items}`,
    allSteps: 'All checks',
    counts: (passed: number, unchecked: number, failed: number) =>
      [
        `${passed} ${passed === 1 ? 'check' : 'checks'} passed`,
        ...(unchecked > 0 ? [`${unchecked} can’t be checked here`] : []),
        ...(failed > 0 ? [`${failed} failed`] : []),
      ].join(' · '),
    waiting: 'Being added to the public log…',
    state: { ok: 'Passed', info: 'Not checked', failed: 'Failed' },
    expected: 'Expected',
    same: 'Expected and actual',
    got: 'Actual',
    nothing: 'none',
    limits: 'What this doesn’t prove: that insiders don’t play knowing unused keys, and that the cards exist.',
    limitsSealed:
      'What this doesn’t prove: that the order was in the log before its round, unless witnesses you trust signed for it; and that the cards exist.',
    limitsFixed:
      'What this doesn’t prove: that your witnesses don’t team up with someone who reads our keys, and that the cards exist.',
    fullPage: 'Open full page',
    groups: {
      seal: 'Commitment',
      order: 'Sealed order',
      table: 'Published odds',
      draw: 'Draw',
      receipt: 'Receipt',
      log: 'Public log',
    },
    steps: {
      commitment: {
        title: 'The server seed matches the commitment',
        details: 'Commitment = SHA-256 of the tag “kaibao/v1/seed”, a zero byte and the server seed.',
      },
      announced: {
        title: 'The commitment was shown before the open',
        details:
          'The commitment is the one this browser saw before it made its seed, or the one announced in your previous receipt.',
      },
      order: {
        title: 'The draw belongs to this order',
        details:
          'The log entry names its order by the SHA-256 of the order’s log entry, and repeats the order’s fields. That hash is part of the key, so another order would give other items.',
      },
      orderReceipt: {
        title: 'The order is signed with the log key',
        details: 'The receipt of the order came before the draw. It fixes seed, price and round.',
      },
      round: {
        title: 'The round follows from the time of the order',
        details:
          'An order is drawn with the first round that the beacon publishes at least as many seconds later as the odds table says. No one can pick a better round afterwards.',
      },
      beacon: {
        title: 'The beacon signed this round',
        details:
          'Each round has exactly one valid BLS signature. It is part of the key, so the draw can’t be computed without it.',
      },
      fixed: {
        title: 'The order was in the log before its round',
        details:
          'Witnesses sign the log’s state with the time. If enough of those that you trust signed a state with this order before the round, the order can’t have been added later.',
      },
      drawn: {
        title: 'The order was drawn',
        details:
          'Each order is drawn with its round. Only if the beacon never publishes the round is it refunded instead.',
      },
      manifest: {
        title: 'The odds and cards are the published ones',
        details: 'The SHA-256 of the published table is the hash used for this draw.',
      },
      terms: {
        title: 'Pack, price and item count are as published',
        details: 'The table itself states the pack, its price, how many items it contains and whether it is sealed.',
      },
      key: {
        title: 'The key for all rolls',
        details:
          'Key = HMAC-SHA-256 under the server seed, over the tag “kaibao/v1/draw”, a zero byte, the table hash, the nonce (8 bytes), the length of the client seed (2 bytes) and the client seed. A sealed pack’s tag is “kaibao/v2/draw”, and the hash of its order and the SHA-256 of the beacon’s signature follow. With a wrong key, the items wouldn’t match.',
      },
      item: {
        title: (n: number) => `Item ${n}, drawn again`,
        details:
          'Roll = the first 8 bytes of HMAC-SHA-256 under the key, over item, purpose and counter, modulo the number of sides. The first roll picks a tier by weight. The second picks one of its cards, all equally likely.',
      },
      total: {
        title: 'The values add up to the total shown',
        details: 'Total value = sum of the item values.',
      },
      logKey: {
        title: 'The proof names this site’s log key',
        details:
          'The key in the proof is the one this site publishes at /log/key, or an earlier one: its log ends by naming the next key, and the next log begins by naming that log.',
      },
      receipt: {
        title: 'The receipt is signed with the log key',
        details: 'The receipt carries an Ed25519 signature made with the log key, so our server can’t take it back.',
      },
      leaf: {
        title: 'Receipt and log entry are identical',
        details: 'The text signed for the player and the text in the public log are the same, byte for byte.',
      },
      shown: {
        title: 'It matches what you were shown',
        details: 'Pack, price, seeds and items in the log entry are compared with the response you got, line by line.',
      },
      inclusion: {
        title: 'The entry is in the log',
        details:
          'Leaf hash = SHA-256 of a zero byte and the entry. Each level up = SHA-256 of a one byte, the left hash and the right hash (RFC 6962). The last hash is the checkpoint’s root.',
      },
      checkpoint: {
        title: 'The checkpoint is signed with the log key',
        details:
          'The checkpoint states the log’s size and root, and carries an Ed25519 signature made with the log key.',
      },
      next: {
        title: 'The next commitment is the announced one',
        details:
          'The log entry fixes the commitment of the player’s next open, so our server can’t choose it after seeing this result.',
      },
    },
    notes: {
      receiptOnly:
        'A receipt alone doesn’t show what’s in the log. Use a proof file, or try again when this site responds.',
      unsupported:
        'This browser can’t check Ed25519 signatures. Use a newer browser, or the commands on the proof page.',
      announced:
        'A proof alone can’t show this. To check that the commitment was in the log before, verify the whole log:',
      stock:
        'The tier is certain. Which of its cards was drawn depends on the stock before this draw, and only the whole log shows that:',
      manifest: 'The odds table is missing, so the draw can’t be repeated. A proof file contains the table.',
      logKey: 'This site didn’t respond. Compare the key with the one you know, or with /log/key.',
      waiting: 'Being added to the public log…',
      replacedKey:
        'The key that signed this receipt has been replaced, and our server no longer has it. The signed checkpoint proves the log entry.',
      newer: 'This receipt needs a newer verifier. Reload this page, or update kaibao.',
      order:
        'The order isn’t part of this proof, and this browser didn’t place it. Without its seed, the draw can’t be repeated here.',
      beacon: 'We couldn’t load the description of the beacon. Try again when this site responds.',
      ownBeacon:
        'The signature is valid, but this is the site’s own test beacon. It proves nothing about insiders, who could know its rounds in advance.',
      unwitnessed:
        'No witness signed the log before this round. Only someone who followed the log can tell when the order was placed.',
      operatorWitnesses:
        'Witnesses signed the log, but they were chosen by the operator, and you haven’t said which ones you trust. Name yours under “Verify a pull” to check this.',
      unproven: 'No quorum of witnesses saw the order before its round. It was drawn anyway, but this stays unproven.',
      pending: 'This order isn’t drawn yet. Download the proof again after its round.',
      voided:
        'This order couldn’t be drawn and was refunded, because the beacon didn’t publish its round for 24 hours. To check this, verify the whole log:',
      lost: 'This order came after the backup that we restored, so its server seed is gone. So is the charge: the points are in the user’s balance. The log voids it and shows the loss to everyone. To check this, verify the whole log:',
      unprovenOpen: 'The pull itself isn’t proven to be in the log, so this can’t be checked.',
      roundLeaf:
        'This proof doesn’t have the order’s place in the log, or the entry of its round. Download the proof again, or verify the whole log:',
      roundTime: 'The round’s time can’t be computed without the order, the odds table and the beacon.',
      endedLog: 'The order is in an earlier log that has ended. To check it, verify the whole log:',
      newCommitments:
        'Since then, our log has continued under a new name, because we restored a backup or replaced all unused keys. So your next open uses another commitment. To check this, verify the whole log:',
      next: 'Your next open isn’t known here. To check that it uses this commitment, verify the whole log:',
    },
    signature: {
      valid: 'valid signature',
      invalid: 'invalid signature',
      absent: 'no signature by this key',
      unsupported: 'not checked',
    },
    facts: {
      logKey: 'Log key',
      user: 'Player’s pseudonym',
      time: 'Time',
      serverSeed: 'Server seed',
      clientSeed: 'Client seed',
      nonce: 'Nonce',
      manifestHash: 'Table hash',
      key: 'Key',
      tierRoll: 'Tier roll',
      rejected: 'Rolls rejected to avoid bias',
      tier: 'Tier',
      fellTo: 'Tier empty, drawn from',
      cardRoll: 'Card roll',
      values: 'Values in cents',
      index: 'Index in the log',
      size: 'Log size',
      leafHash: 'Leaf hash',
      siblings: 'Sibling hashes',
      origin: 'Origin',
      currentKey: 'Key in use now',
      orderHash: 'Order hash',
      round: 'Round',
      roundTime: 'Round published',
      reason: 'Reason',
      beacon: 'Beacon',
      signature: 'Beacon’s signature',
      witness: 'Your witness, and when it signed',
      operatorWitness: 'Witness chosen by the operator, not checked',
    },
  },
  proof: {
    title: 'Proof of a pull',
    text: 'Checked in your browser. You don’t have to trust our server.',
    failed: 'Couldn’t load this proof',
    unknown: 'Pull not found',
    unknownText: 'The log has no pull with this ID. Check the address, or verify a proof file.',
    checkFile: 'Verify a file',
    drawn: 'According to this proof',
    ordered: 'Sealed order',
    round: 'Round',
    saveReceipt: 'Download receipt',
    table: 'Odds and cards',
    paid: 'Price',
    total: 'Total value',
    player: 'Player',
    nonce: 'Nonce',
    openId: 'Pull ID',
    time: 'Time',
    mine: 'This is your pull.',
    save: 'Download proof',
  },
  byHand: {
    title: 'Verify it by hand',
    text: 'Run these in a shell with OpenSSL 3, in this order. The expected output is below each command.',
    copy: 'Copy',
    copyAll: 'Copy all commands',
    copied: 'Copied',
    copyFailed: 'Couldn’t copy.',
    prints: 'Should print',
    needsTable: 'Needs the table as a file:',
    commands: {
      tools: () => 'Two helpers: digits to bytes, and a hash to a roll',
      commitment: () => 'The server seed’s hash is the commitment',
      manifest: () => 'The table’s hash is the one used',
      key: () => 'The key for all rolls',
      tierRoll: (item: number) => `Item ${item}: tier roll`,
      cardRoll: (item: number) => `Item ${item}: card roll`,
      receipt: () => 'The receipt’s signature',
      inclusion: () => 'From the leaf to the log’s root',
      checkpoint: () => 'The checkpoint’s signature, with that root on line 3',
      order: () => 'The order’s hash is the one in the draw',
      beacon: () => 'The round’s signature, from the beacon itself (needs the internet)',
      orderInclusion: () => 'From the order to the same root',
      cosignature: (witness: string, time: string) => `${witness} signed an earlier state of the log at ${time}`,
      consistency: () => 'The log extends that state: prints its root, then the root above',
    },
  },
  witnesses: {
    title: 'Witnesses you trust',
    text: 'Witnesses sign the state of our log with the time. Name some that aren’t ours, and your browser checks that they saw each sealed order before its round.',
    keys: 'Verifier keys, one per line',
    keysHelp: 'All must sign. To require fewer, add a line like “quorum 2”.',
    save: 'Save witnesses',
    useOurs: 'Fill in this site’s witnesses',
    useOursHelp:
      'We chose the witnesses of this site. Add them only if you trust them, for example because you know who runs them.',
    saved: 'Saved in this browser',
    removed: 'Witnesses removed',
    invalid: 'Enter one witness key per line (name+hash+key), each once, 15 at most, and at most one “quorum” line.',
  },
  bid: {
    title: 'What this bid receipt says',
    id: 'Bid',
    scope: 'For',
    pays: 'Price',
    pegged: (share: string, cap: string) => `${share} of value, ${cap} max`,
    quantity: 'Quantity',
    left: (all: string, left: string) => `${all}, ${left} left at the time`,
    time: 'In effect from',
    expires: 'Expires by',
    limits: (seconds: number) =>
      `This is evidence only against a quick sell that paid less and happened more than ${seconds} seconds after this receipt. It can’t show whether the bid had been filled, changed or withdrawn by then.`,
  },
  check: {
    title: 'Verify a pull',
    text: 'Drop a proof or receipt here. It’s checked in your browser and never uploaded.',
    drop: 'Drop a proof or receipt file here',
    pick: 'or choose a file',
    ready: 'Ready. Works offline.',
    release: 'Drop to verify',
    file: 'Proof or receipt file',
    another: 'Verify another file',
    checked: (name: string) => `Checked: ${name}`,
    byId: 'Or look up a pull',
    byIdHelp: 'Every pull has an ID. You’ll find it on its proof page and in that page’s address.',
    openId: 'Pull ID',
    look: 'Look up',
    invalidId: 'This isn’t a valid pull ID.',
    where: 'Where to find your proofs',
    whereText:
      'Every pull in your history has one. “Download proof” saves everything needed in one file: log entry, receipt, path to the log’s root, checkpoint and odds table, and for a sealed pull also its order and round.',
    myOpens: 'Pull history',
    how: 'How draws work',
    unreadable: 'This file isn’t a proof or a receipt',
    unreadableText:
      'Proofs are .json files from this site, receipts are .txt files. If a single byte has changed, the file may be unreadable.',
    tooLarge: 'This file is too large to be a proof',
    receiptOnly: 'A receipt doesn’t contain the log key, and we couldn’t load it. Verify the proof file instead.',
    bidOnly: 'A receipt doesn’t contain the log key, and we couldn’t load it.',
  },
}
