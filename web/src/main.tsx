import '@/styles/index.css'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createQueryClient } from '@/api/query-client'
import { App } from '@/app/app'
import { createAppRouter } from '@/app/router'
import { initialLanguage, showLanguage } from '@/i18n'
import { guardComposedKeys } from '@/lib/ime'

guardComposedKeys()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

const language = initialLanguage()
// Pages are pre-rendered for wide windows, without search parameters, in the language that the server assumes. React
// replaces those that differ.
const hydrates =
  root.dataset['prerendered'] === 'same' &&
  document.documentElement.lang.startsWith(language) &&
  !matchMedia('(width < 48rem)').matches &&
  !location.search

const queryClient = createQueryClient()
const router = createAppRouter(queryClient)
// The pre-rendered page shows no data. Hydration must not find any either: components request it once they are mounted.
router.options.context.prefetches = !hydrates
await Promise.all([showLanguage(language), router.load()])
router.options.context.prefetches = true

const app = (
  <StrictMode>
    <App queryClient={queryClient} router={router} />
  </StrictMode>
)
// Transitions render in slices, so the page can respond in between.
startTransition(() => {
  if (hydrates) hydrateRoot(root, app)
  else createRoot(root).render(app)
})
