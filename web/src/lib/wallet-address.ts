/** Local storage key of the connected wallet's address, which every request sends. */
export const walletAddressKey = 'wallet:address'
