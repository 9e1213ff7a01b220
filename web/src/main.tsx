import '@/styles/index.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '@/api/query-client'
import { App, loadPage } from '@/app/app'
import { createAppRouter } from '@/app/router'
import { initialLanguage, showLanguage } from '@/i18n'
import { guardComposedKeys } from '@/lib/ime'

guardComposedKeys()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

/** The page is seen and scrolled by now: what it has to do is done in pieces, and it answers in between. */
const pause = () => new Promise((resume) => setTimeout(resume))

await pause()
const queryClient = createQueryClient()
const router = createAppRouter(queryClient)
await pause()
// Together and before anything is drawn: one drawing of the whole page is there sooner than the shell and
// then the page.
await Promise.all([showLanguage(initialLanguage()), loadPage(router)])
await pause()
// Between the frames: the page is seen already, as the server sends it, and makes way for the drawn one.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App queryClient={queryClient} router={router} />
    </StrictMode>,
  ),
)
