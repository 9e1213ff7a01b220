export const commandPalette = {
  title: 'Jump to',
  text: 'Find a page, pack or item.',
  placeholder: 'Page, pack or item…',
  kinds: { pages: 'Page', packs: 'Pack', items: 'Item' },
  failed: 'Couldn’t search packs and items',
  nothing: (query: string) => `No results for “${query}”`,
  found: (n: number) => (n === 1 ? '1 result' : `${n} results`),
}
