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
