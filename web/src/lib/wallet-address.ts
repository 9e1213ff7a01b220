/** Local storage key of the connected wallet's address, which every call names. */
export const walletAddressKey = 'wallet:address'
