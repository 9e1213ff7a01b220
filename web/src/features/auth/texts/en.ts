export const profile = {
  title: 'Your name and picture',
  text: 'What others see on leaderboards, in live pulls and on your listings.',
  name: 'Name',
  namePlaceholder: 'No name',
  nameHint: (most: number) => `Up to ${most} characters. Left empty, others see “Anonymous” or “User” with a number.`,
  picture: 'Picture address',
  picturePlaceholder: 'https://',
  pictureHint:
    'A PNG, JPEG, GIF or WebP. We show a copy, so its host never learns who looks. Left empty, others see initials.',
  tracedTitle: 'A name can be traced',
  traced:
    'The public log lists every open under a pseudonym. Pulls, ranks and listings shown with your name can be matched with it, and then all your opens are known as yours. Without a name nothing here says who you are.',
  problems: {
    long: (most: number) => `At most ${most} characters.`,
    hidden: 'It has characters that cannot be seen.',
    address: (most: number) => `An address that begins with https://, of at most ${most} characters.`,
  },
  refused: {
    firstName: 'This name is kept for Kaibao or for people without a name, or it cannot be shown. Choose another one.',
    profileImageUrl: 'This address cannot be used.',
  },
  cancel: 'Cancel',
  save: 'Save',
  saving: 'Saving...',
  saved: 'Profile saved',
  failed: 'Could not save',
}
