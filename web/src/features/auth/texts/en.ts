export const profile = {
  title: 'Edit profile',
  text: 'Your name and picture appear on leaderboards, in live pulls and on your listings.',
  name: 'Name',
  namePlaceholder: 'No name',
  nameHint: (most: number) =>
    `Up to ${most} characters. Leave empty to appear as “Anonymous” or, for example, “User 123”.`,
  picture: 'Picture URL',
  picturePlaceholder: 'https://',
  pictureHint: 'PNG, JPEG, GIF or WebP. Leave empty for a default picture.',
  gifts: 'Accept gifts',
  giftsHint: 'Other collectors can give you items. If you turn this off, they aren’t told.',
  tracedTitle: 'A name makes your pulls traceable',
  traced:
    'The public log lists every pack opening under a pseudonym. If you set a name, anyone can match it to the log and find everything you’ve opened.',
  lockedTitle: 'Your name and picture are locked',
  locked: (reason: string) =>
    `A moderator removed your name and picture. You can’t set new ones until they’re unlocked. Reason: ${reason}`,
  problems: {
    long: (most: number) => `Use ${most} characters or fewer.`,
    hidden: 'Remove the invisible characters.',
    address: (most: number) => `Enter a URL that starts with https:// and has at most ${most} characters.`,
  },
  refused: {
    firstName: 'This name is reserved, too similar to someone’s handle, or can’t be shown. Choose another one.',
    profileImageUrl: 'This URL can’t be used. Try another one.',
  },
  cancel: 'Cancel',
  save: 'Save',
  saving: 'Saving…',
  saved: 'Profile saved',
  failed: 'Couldn’t save your profile',
}

export const passkey = {
  warning:
    'This wallet is only as safe as this site. Keep nothing else in it. If you lose the passkey, nobody can restore it.',
  cancel: 'Cancel',
  waiting: 'Waiting for your passkey…',
  create: {
    title: 'Create a wallet with a passkey',
    text: 'Your device saves a passkey, and the passkey is your wallet. You confirm with your fingerprint, face or PIN.',
    known:
      'You’ve used a passkey wallet in this browser before. A new one starts empty: points and cards stay in the old one.',
    devices:
      'Save the passkey somewhere that syncs, such as a password manager, so you can use the wallet on your other devices.',
    twice: 'Your device asks at least twice: to create the wallet, and to sign in with it.',
    confirm: 'Create wallet',
  },
  sign: {
    title: 'Sign with your passkey',
    text: 'You’re signing exactly this text, nothing else.',
    wallet: (address: string) => `Wallet ${address}`,
    message: 'Text to sign',
    confirm: 'Sign',
  },
  otherWallet: {
    title: 'Use a different wallet?',
    text: 'This passkey isn’t the wallet you used last in this browser. Points and cards stay in the wallet that holds them.',
    this: 'This passkey',
    last: 'Last used here',
    use: (address: string) => `Continue with ${address}`,
  },
  export: {
    heading: 'Your passkey wallet',
    button: 'Export private key',
    title: 'Export your wallet’s private key',
    text: 'Import it into Phantom, Solflare or another Solana wallet. Then you no longer depend on the passkey.',
    warning:
      'Anyone who has this key can take everything in the wallet. Never send it to anyone: we’ll never ask for it.',
    confirm: 'Verify and show key',
    secretKey: 'Private key',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Couldn’t copy',
    done: 'Done',
  },
  hint: {
    title: 'Back up your wallet',
    text: (value: string) =>
      `Your collection is worth ${value} or more. If you lose the passkey, nobody can restore your wallet, so export its private key.`,
    dismiss: 'Don’t show again',
  },
}
