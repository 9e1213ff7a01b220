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
