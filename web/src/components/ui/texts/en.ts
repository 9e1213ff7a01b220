export const crash = {
  title: 'This window stopped working',
  notSent: 'Nothing was sent, and you weren’t charged. Close this window and try again.',
  pending: 'Your request was sent, but there’s no answer yet. Check the result before you try again.',
  opened: 'Your pack was opened and you paid for it once. Your cards are in your collection.',
  done: 'Your request went through. There’s no need to send it again.',
  refused: 'Your request was declined. You weren’t charged.',
  unknown: 'We don’t know yet whether your request went through. Check the result before you try again.',
  links: {
    opens: 'View pull history',
    collection: 'View collection',
    orders: 'View orders',
    claims: 'View shipments',
    balance: 'View transactions',
  },
}
