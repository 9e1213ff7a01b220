import './styles/index.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App, loadPage } from '@/app/app'
import '@/app/texts'
import { initialLanguage, showLanguage } from '@/i18n'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
// Together and before anything is drawn: one drawing of the whole page is there sooner than the shell and
// then the page.
await Promise.all([showLanguage(initialLanguage()), loadPage()])
// Between the frames: the page is seen already, as the server sends it, and makes way for the drawn one at once.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
