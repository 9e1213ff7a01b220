// Runs before the first paint, so that a light page never flashes dark. Kept in step with lib/theme.ts.
if (localStorage.getItem('theme') === 'light') document.documentElement.classList.add('light')
// The largest picture of the home page is on its way before the code that shows it.
if (['/', '/app'].includes(location.pathname)) {
  const picture = Object.assign(document.createElement('link'), {
    rel: 'preload',
    as: 'image',
    href: '/media/hero/1.svg',
  })
  picture.fetchPriority = 'high'
  document.head.append(picture)
}
