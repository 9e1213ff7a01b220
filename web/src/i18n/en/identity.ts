export const identity = {
  connectTitle: 'Connect your wallet',
  connectText: 'You sign a message to prove the wallet is yours. It sends no transaction and costs nothing.',
  switchedTitle: 'Your wallet changed accounts',
  switchedText: (address: string) =>
    `It now shows ${address}. Sign in with this account to go on; until then nothing that costs money can start.`,
  wallets: 'Wallets',
  demoWallet: 'Demo wallet',
  demoWalletNote: 'A key made in this browser, for the sandbox only',
  detected: 'Detected',
  notInstalled: 'Not installed',
  install: (wallet: string) => `Install ${wallet}`,
  connecting: (wallet: string) => `Waiting for ${wallet}…`,
  signing: (wallet: string) => `Sign the message in ${wallet}…`,
  tryAgain: 'Try again',
  signOutFailed: 'Could not sign out',
  walletErrors: {
    'not-found': (wallet: string) => `${wallet} wallet not found`,
    'not-ready': (wallet: string) =>
      `${wallet} wallet detected but not ready. Please refresh the page and try again.`,
    cancelled: () => 'Connection was cancelled by user',
    pending: (wallet: string) => `Connection request already pending. Please check your ${wallet} wallet.`,
    'invalid-response': (wallet: string) => `Invalid response from ${wallet} wallet`,
    unavailable: (wallet: string) => `${wallet} provider not available`,
    failed: (wallet: string, message: string) => `Failed to connect to ${wallet}: ${message || 'Unknown error'}`,
  },
}
