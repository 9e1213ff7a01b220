/** Where the community meets, outside this site. */
export const links = {
  social: 'https://x.com/kaibao',
  chat: 'https://discord.gg/kaibao',
} as const
