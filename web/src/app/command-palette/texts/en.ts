export const jump = {
  title: 'Jump to',
  text: 'A page, a pack or an item.',
  placeholder: 'Page, pack or item...',
  groups: { pages: 'Pages', packs: 'Packs', items: 'Items' },
  failed: 'Packs and items could not be searched',
  nothing: (query: string) => `Nothing found for “${query}”`,
  found: (n: number) => (n === 1 ? '1 result' : `${n} results`),
}
