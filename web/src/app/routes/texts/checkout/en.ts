export const checkout = {
  title: 'Checkout',
  loading: 'Loading the pack…',
  notFound: 'Pack Not Found',
  notFoundText: "The pack you're trying to purchase could not be found.",
  notConfigured: 'Payment Not Configured',
  notConfiguredText: 'Payment processing is not currently set up. Please contact an administrator.',
  goBack: 'Go Back',
  failed: 'Failed to fetch pack details',
}
