export const home = {
  live: 'Live',
  heading: 'Open a pack. Own the card.',
  text: 'Graded cards and designer toys, drawn in the open: every result is sealed before you choose, and you can check it yourself.',
  grabAPack: 'Grab a pack',
  hero: 'Featured',
  heroPictures: ['A lit row of graded card slabs', 'A foil pack opening under a light'],
  pickPicture: (n: number) => `Show picture ${n}`,
  packsHeading: 'On the counter',
  allPacks: 'All packs',
  fairHeading: 'How a draw stays fair',
  fairText: 'No trust needed: three steps, each one leaves a trace anyone can check.',
  fairSteps: [
    {
      title: 'Sealed first',
      text: 'The server fixes a secret seed for you and shows its fingerprint before you press anything.',
    },
    {
      title: 'You add chance',
      text: 'Your browser makes random numbers of its own. The server could not have known them when it sealed the seed.',
    },
    {
      title: 'Opened and logged',
      text: 'The seed is revealed with the result, the odds table is public, and every draw stands in an append-only log.',
    },
  ],
}
