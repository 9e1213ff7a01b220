// Runs before the first paint, so that a light page never flashes dark. Kept in step with lib/theme.ts.
if (localStorage.getItem('theme') === 'light') document.documentElement.classList.add('light')
