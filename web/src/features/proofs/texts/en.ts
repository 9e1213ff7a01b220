import { number } from '@/lib/format'

export const fairness = {
  title: 'Fairness',
  text: 'Why nobody, not even we, can choose what you pull, and how you check that yourself.',
  how: 'How a draw works',
  diagram:
    'The server seals a seed. Then your browser makes its own. Both together, with the published odds, give the cards. The result goes into a public log, signed.',
  diagramLabels: {
    server: 'We seal a seed',
    serverHint: 'fingerprint shown first',
    you: 'You add yours',
    youHint: 'made after the seal',
    table: 'Published odds',
    tableHint: 'fixed by their hash',
    draw: 'The draw',
    drawHint: 'HMAC-SHA-256',
    result: 'Your cards',
    resultHint: 'and the seed revealed',
    log: 'The public log',
    logHint: 'signed, append-only',
  },
  steps: [
    {
      title: 'We commit first',
      text: 'Before you press anything, the server has chosen a secret seed for your next pack and shows its SHA-256 fingerprint. A fingerprint fixes the seed without showing it. It stays the same until you open.',
    },
    {
      title: 'You add your own',
      text: 'Your browser makes a seed of its own, after it has seen the fingerprint. You may type your own instead. We learn it only with your open, when ours cannot be changed any more.',
    },
    {
      title: 'Both together draw',
      text: 'Both seeds, a counter and the published table of odds and cards go into one formula. Whoever computes it gets the same cards, and no one could have known them before.',
    },
    {
      title: 'We reveal and sign',
      text: 'The answer shows our seed, so you can check that it has the fingerprint you saw, and compute the draw again. It comes with a receipt that we have signed and cannot take back.',
    },
    {
      title: 'The log keeps it all',
      text: 'Each open, each table of odds and each fingerprint is a line of one public, append-only log. Nobody can take a line out or draw twice and show one: the signed checkpoint would no longer fit.',
    },
  ],
  log: 'The log, live',
  logText: 'Every line ever written is under this root. It is signed anew whenever something is added.',
  size: 'Lines',
  opens: 'Opens',
  root: 'Root',
  signedAt: 'Signed',
  origin: 'Origin',
  emptyLog: 'The log has not signed a checkpoint yet.',
  checkpointLink: 'Signed checkpoint',
  keyLink: 'Log key',
  command: 'Check all of it yourself',
  commandChecks: [
    'Every line is in the tree that the checkpoint signs for',
    'Each seal is used once, by the open after the one that announced it',
    'Each table was announced before it was used, and no stock fell below zero',
    'Each draw, computed again',
    'The books of each day: none left out, opens and prices those of the log',
  ],
  commandHelp:
    'Downloads the log, draws every open again and compares the checkpoint with the last one you saw. Exit code 0 only if all holds.',
  copy: 'Copy',
  copied: 'Command copied',
  copyFailed: 'The command could not be copied.',
  checkOne: 'Check one open',
  books: 'Realised against published odds',
  booksText:
    'What was really drawn, pack by pack, since its table has been in force. The line marks what the odds promise.',
  allBooks: 'See all books of the house',
  booksFailed: 'The draws could not be fetched',
  logFailed: 'The log could not be reached',
  noPacks: 'No pack has a table yet',
  noPacksText: 'As soon as a pack is on sale, its odds and draws stand here.',
  packOpens: (opens: number) => (opens === 1 ? '1 open' : `${number(opens)} opens`),
  since: (date: string) => `since ${date}`,
  table: 'Table',
  columns: { tier: 'Tier', chance: 'Published', drawn: 'Drawn', expected: 'Expected', share: 'Share' },
  tableOf: (pack: string) => `Draws of ${pack}`,
  none: 'Not opened since this table is in force.',
  few: 'Too few draws to tell chance from cheating.',
  likely: (times: string) =>
    `Of fair runs of this many draws, ${times} come out at least this uneven. Nothing unusual.`,
  unusual: (times: string) =>
    `Of fair runs of this many draws, only ${times} come out at least this uneven. That happens; with many packs it must.`,
  unlikely: (times: string) =>
    `Of fair runs of this many draws, only ${times} come out at least this uneven. Check the log: every single draw can be recomputed.`,
  outOf: (n: number, of: number) => `${number(n)} of ${number(of)}`,
  lessThan: (n: number, of: number) => `fewer than ${number(n)} of ${number(of)}`,
  pValue: (p: string, chi: string, degrees: number) => `χ² = ${chi} with ${degrees} degrees of freedom, p = ${p}`,
  limits: 'What this does not prove',
  limitsText: [
    {
      title: 'That our own people do not play',
      text: 'Whoever could read a seed that is not yet used would know what a client seed leads to. The seeds are stored encrypted, but from outside you cannot see who opens packs. Public randomness that comes after your open will close this gap.',
    },
    {
      title: 'That the cards exist',
      text: 'Mathematics can show that a card was drawn by the odds. It cannot show that the card lies in a vault.',
    },
  ],
}

export const verify = {
  verification: {
    title: 'verify fairness',
    text: 'Your browser draws this pack again, from published bytes alone. Open a step to see its numbers.',
    checking: 'Recomputing the draw…',
    failed: 'The published data could not be fetched',
    verdict: {
      ok: 'Everything matches. This draw was fair.',
      info: 'Everything that can be checked here matches.',
      failed: 'Something does not match. Keep this proof: it shows what the server signed.',
    },
    counts: (ok: number, open: number, failed: number) =>
      [
        `${ok} ${ok === 1 ? 'step holds' : 'steps hold'}`,
        ...(open > 0 ? [`${open} open`] : []),
        ...(failed > 0 ? [`${failed} ${failed === 1 ? 'does' : 'do'} not hold`] : []),
      ].join(' · '),
    waiting: 'The log takes it in within a second…',
    state: { ok: 'Holds', info: 'Open', failed: 'Does not hold' },
    expected: 'Expected',
    same: 'Expected and found',
    got: 'Found',
    nothing: 'nothing',
    limits:
      'What this does not prove: that the operator’s own people do not play with knowledge of seeds not yet used, and that the cards exist.',
    fullPage: 'Open as a page',
    groups: {
      seal: 'The seal',
      table: 'The published odds',
      draw: 'The draw',
      receipt: 'The receipt',
      log: 'The public log',
    },
    steps: {
      commitment: {
        title: 'The revealed seed is the sealed one',
        words: 'Commitment = SHA-256 of the tag “kaibao/v1/seed”, a zero byte and the server seed.',
      },
      announced: {
        title: 'The seal was shown before the open',
        words:
          'The commitment is the one this browser saw before it made its seed, or the one that the receipt of the open before announced.',
      },
      manifest: {
        title: 'These are the published odds and cards',
        words: 'The SHA-256 of the published table is the hash that this draw was made with.',
      },
      terms: {
        title: 'Pack, price and number of items are as published',
        words: 'The table itself states the pack, what it costs and how many items it yields.',
      },
      key: {
        title: 'The key of all rolls',
        words:
          'Key = HMAC-SHA-256 under the server seed, over the tag “kaibao/v1/draw”, a zero byte, the table’s hash, the nonce (8 bytes), the length of the client seed (2 bytes) and the client seed. A wrong key shows in the items.',
      },
      item: {
        title: (n: number) => `Item ${n}, drawn again`,
        words:
          'A roll = the first 8 bytes of HMAC-SHA-256 under the key, over item, purpose and counter, modulo the number of sides. The first roll walks the weights to a tier, the second picks one of its cards, each equally likely.',
      },
      total: {
        title: 'The values add up to what was shown',
        words: 'Total value = sum of the items’ values.',
      },
      logKey: {
        title: 'The proof names this site’s log key',
        words: 'The key in the proof is the one that this site publishes for all at /log/key.',
      },
      receipt: {
        title: 'The log key signed the receipt',
        words:
          'The receipt carries an Ed25519 signature of the log key over its text, so the server cannot take it back.',
      },
      leaf: {
        title: 'The receipt is the leaf, byte for byte',
        words: 'What the server signed for the player and what it put into the public log are the same text.',
      },
      shown: {
        title: 'It says what you were shown',
        words: 'Pack, price, seeds and items of the leaf are compared with the answer you got, line by line.',
      },
      inclusion: {
        title: 'The leaf is in the log',
        words:
          'Leaf hash = SHA-256 of a zero byte and the leaf. Each step up = SHA-256 of a one byte, the left hash and the right one (RFC 6962). The last is the checkpoint’s root.',
      },
      checkpoint: {
        title: 'The log key signed that checkpoint',
        words:
          'The checkpoint names the size and the root of the log, and carries an Ed25519 signature of the log key.',
      },
      next: {
        title: 'The next seal is the announced one',
        words:
          'The leaf fixes the commitment of the player’s next open, so that the server cannot choose it once this result is known.',
      },
    },
    notes: {
      receiptOnly:
        'A receipt alone does not tell what is in the log. A proof file does, or this site while it answers.',
      unsupported:
        'This cannot be checked here: this browser knows no Ed25519 signatures. Use a newer one, or the commands on the proof’s page.',
      announced:
        'This cannot be known from the proof alone. That the seal stood in the log before is checked with all of the log:',
      stock:
        'The tier is certain. Which of its cards it is depends on the stock before this draw, and only all of the log tells that:',
      manifest: 'The table is not at hand, so nothing can be drawn again. A proof file holds it.',
      logKey: 'This site did not answer. Compare the key with the one you know, or with /log/key, yourself.',
      waiting: 'The log takes it in within a second…',
      newer: 'This receipt needs a newer verifier. Reload this page, or use the current kaibao.',
      next: 'The next open is not known here. That it uses this seal is checked with all of the log:',
    },
    signature: {
      valid: 'a valid signature',
      invalid: 'a signature that does not hold',
      absent: 'no signature of this key',
      unsupported: 'not checked',
    },
    facts: {
      logKey: 'Log key',
      user: 'Pseudonym of the player',
      time: 'Time',
      serverSeed: 'Server seed',
      clientSeed: 'Client seed',
      nonce: 'Nonce',
      manifestHash: 'Hash of the table',
      key: 'Key',
      tierRoll: 'Roll for the tier',
      rejected: 'Rolls thrown away to stay uniform',
      tier: 'Tier',
      fellTo: 'Tier was empty, drawn from',
      cardRoll: 'Roll for the card',
      values: 'Values in cents',
      index: 'Place in the log',
      size: 'Size of the log',
      leafHash: 'Leaf hash',
      siblings: 'Hashes beside the way up',
      origin: 'Origin',
    },
  },
  proof: {
    title: 'Proof of an open',
    text: 'Checked here, in your browser. Nothing on this page is taken on trust.',
    failed: 'This proof could not be fetched',
    unknown: 'No such open',
    unknownText: 'The log knows no open with this number. Look at the address again, or check a proof file.',
    checkFile: 'Check a file',
    drawn: 'What this proof says',
    saveReceipt: 'Save the receipt',
    table: 'Odds and cards',
    paid: 'Paid',
    total: 'Drawn',
    player: 'Player',
    nonce: 'Nonce',
    openId: 'Open',
    time: 'Time',
    mine: 'This is your open.',
    save: 'Download proof',
  },
  byHand: {
    title: 'How to check this by hand',
    text: 'For a shell with OpenSSL 3, in this order. What a command must print stands below it.',
    copy: 'Copy',
    copyAll: 'Copy all commands',
    copied: 'Copied',
    copyFailed: 'It could not be copied.',
    prints: 'Must print',
    needsTable: 'Needs the table as a file:',
    commands: {
      tools: () => 'Two helpers: digits to bytes, and a hash to a roll',
      commitment: () => 'The server seed’s fingerprint is the seal',
      manifest: () => 'The table’s fingerprint is the one drawn with',
      key: () => 'The key of all rolls',
      tierRoll: (item: number) => `Item ${item}: the roll for its tier`,
      cardRoll: (item: number) => `Item ${item}: the roll for its card`,
      receipt: () => 'The receipt’s signature',
      inclusion: () => 'From the leaf up to the log’s root',
      checkpoint: () => 'The checkpoint’s signature, with that root in its third line',
    },
  },
  bid: {
    title: 'What the receipt of this bid says',
    id: 'Bid',
    scope: 'For',
    pays: 'Pays',
    pegged: (share: string, cap: string) => `${share} of the value, ${cap} at most`,
    quantity: 'How many',
    left: (all: string, left: string) => `${all}, ${left} of them left then`,
    time: 'Stood like this from',
    expires: 'Open until, at most',
    limits: (seconds: number) =>
      `It is evidence only against a quick sell that took less and is more than ${seconds} seconds later than this receipt. It cannot show whether the bid had been filled, changed or withdrawn by then.`,
  },
  check: {
    title: 'Check a proof',
    text: 'Drop a proof or a receipt: it is checked in your browser and sent nowhere.',
    drop: 'Drop a proof or receipt file here',
    pick: 'or choose a file',
    ready: 'All is loaded: from here on this needs no server.',
    release: 'Let go to check it',
    file: 'Proof or receipt file',
    another: 'Check another file',
    checked: (name: string) => `Checked: ${name}`,
    byId: 'Or look up an open',
    byIdHelp: 'Every open has a number. It stands on its proof and in the proof’s address.',
    openId: 'Number of the open',
    look: 'Look up',
    invalidId: 'This is not the number of an open.',
    where: 'Where you find a proof',
    whereText:
      'Each of your opens has one. “Download proof” saves it as a file that holds the leaf, the receipt, the way up the log, the checkpoint and the table: all it takes.',
    myOpens: 'My opens',
    how: 'How a draw works',
    unreadable: 'This file is neither a proof nor a receipt',
    unreadableText:
      'A proof is a .json file from this page, a receipt a .txt file. If a byte of it has changed, it may not even be readable any more.',
    tooLarge: 'This file is too large for a proof',
    receiptOnly:
      'This receipt has no key with it, and the site’s key has not been loaded. Check the proof file instead.',
    bidOnly: 'This receipt has no key with it, and the site’s key has not been loaded.',
  },
}
