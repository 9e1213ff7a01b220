import './styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App, loadPage } from '@/app/app'
import '@/app/texts'
import { initialLanguage, showLanguage } from '@/i18n'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
// Together and before anything is drawn: one drawing of the whole page is there sooner than the shell and
// then the page.
await Promise.all([showLanguage(initialLanguage()), loadPage()])
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
