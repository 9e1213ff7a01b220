/** The page of a shared pull. */
export const pull = {
  title: (n: number, pack: string) => `${n} cards from ${pack}`,
  by: 'Pulled by',
  from: (pack: string, points: string) => `Pulled from ${pack} for ${points} points`,
  value: 'Value when pulled',
  total: 'Total value when pulled',
  verified: 'Verified',
  verifiedText: 'Verified: see the proof of this draw',
  openPack: 'Open this pack',
  cards: 'Pulled cards',
  share: { share: 'Share', copied: 'Link copied', copyFailed: 'Couldn’t copy the link' },
  failed: 'Couldn’t load this pull',
  unknown: 'This pull isn’t shared',
  unknownText: 'The link may be wrong, or the collector stopped sharing this pull.',
  toPacks: 'See packs',
}

/** The dialog that shares a pull. */
export const share = {
  title: 'Share this pull',
  text: 'Show your cards to anyone with a link. Your name appears only if your profile is public.',
  which: 'Which pull?',
  choice: (card: string, value: string) => `${card}, ${value}`,
  on: 'Anyone with the link can see this pull',
  before: 'From this pull, anyone can find your other pulls in the public log.',
  after: 'You can turn this off at any time. Apps that already fetched the preview may keep it.',
  preview: 'Preview picture of this pull',
  previewLater: 'Turn sharing on to see the preview picture.',
  previewFailed: 'Couldn’t load the preview picture.',
  copyLink: 'Copy link',
  copied: 'Link copied',
  copyFailed: 'Couldn’t copy the link',
  save: 'Save picture',
  send: 'Send',
  sendTitle: (pack: string) => `My pull from ${pack}`,
  failed: 'Couldn’t change sharing',
  loadFailed: 'Couldn’t load this pull',
}
