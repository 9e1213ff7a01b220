export const profile = {
  title: 'Edit profile',
  text: 'Shown on leaderboards, in live pulls and on your listings.',
  name: 'Name',
  namePlaceholder: 'No name',
  nameHint: (most: number) =>
    `Up to ${most} characters. Leave it empty to appear as “Anonymous” or “User” and a number.`,
  picture: 'Picture URL',
  picturePlaceholder: 'https://',
  pictureHint:
    'PNG, JPEG, GIF or WebP. We show a copy, so the image host can’t track viewers. Leave it empty to show your initials.',
  tracedTitle: 'A name makes your pulls traceable',
  traced:
    'The public log lists every open under a pseudonym. If your name is shown with pulls, ranks or listings, anyone can match them with the log and find all your opens. Without a name, nothing here identifies you.',
  lockedTitle: 'Your name and picture are locked',
  locked: (reason: string) =>
    `A moderator removed your name and picture. You can’t set new ones until they’re unlocked. Reason: ${reason}`,
  problems: {
    long: (most: number) => `Use ${most} characters or fewer.`,
    hidden: 'Remove the invisible characters.',
    address: (most: number) => `Enter a URL that starts with https:// and has at most ${most} characters.`,
  },
  refused: {
    firstName: 'This name is reserved or can’t be shown. Choose another one.',
    profileImageUrl: 'This URL can’t be used. Try another one.',
  },
  cancel: 'Cancel',
  save: 'Save',
  saving: 'Saving…',
  saved: 'Profile saved',
  failed: 'Couldn’t save your profile',
}
