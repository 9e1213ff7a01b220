export const orders = {
  title: 'My orders',
  text: 'Everything of yours that can still be bought or filled, on one page.',
  overlayTitle: 'Connect your wallet',
  overlayText: 'Your bids and listings belong to your wallet. Connect it to see them.',
}
